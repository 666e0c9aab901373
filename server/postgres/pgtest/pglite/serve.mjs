// Serves a Postgres with pgvector, in memory, on a port of loopback that it prints. It ends when its input does.
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

const db = await PGlite.create({ extensions: { vector } });
const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0, maxConnections: 64 });
await server.start();
console.log(server.getServerConn());
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
