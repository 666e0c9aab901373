// What "make sdk" makes of the description of the server.
export default {
  input: '../openapi.json',
  output: { path: 'src/generated', module: { extension: '.js' }, postProcess: [] },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
};
