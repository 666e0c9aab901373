package secrets_test

import (
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/secrets"
)

// tokenForms lists what services publish about their tokens: kind, prefixes, alphabet, length of the rest. A sign with
// a number is a separator and its place in the rest.
const tokenForms = `
# clouds and what keeps secrets
AWS access key: AKIA ASIA ABIA ACCA: upperNum 16
AWS access key: A3T: upperNum 17
Bedrock key: ABSK: base64 100-400
Bedrock key: bedrock-api-key-: base64 60-4000
Alibaba key: LTAI: alnum 12-24
Tencent key: AKID: alnum 32-36
Yandex key: AQVN: urlSafe 35-38
Google API key: AIza: urlSafe 35
Google OAuth secret: GOCSPX-: urlSafe 20-60
Google OAuth secret: ya29.: dotted 40-500
Google OAuth secret: 1//0: urlSafe 40-200
DigitalOcean token: dop_v1_ doo_v1_ dor_v1_: hexLower 64
Exoscale key: EXO: hexLower 24-26
UpCloud token: ucat_: alnum 24-32
Fly token: fm2_ fm1r_ fm1a_: base64 80-500
Fly token: fo1_: urlSafe 43
Heroku key: HRKU-: urlSafe 36-80
Render key: rnd_: alnum 26-40
Vercel token: vcp_ vci_ vca_ vcr_ vck_: alnum 24-80
Vercel token: vercel_blob_rw_: wordy 30-80
Netlify token: nfp_ nfc_ nfu_ nfb_ nfo_: alnum 36-50
Cloudflare token: cfut_ cfat_ cfk_: alnum 36-60
Cloudflare key: v1.0-: urlSafe 171 -24
Cloudflare token: eyJhIjoi: base64 100-400
Databricks token: dapi: hexLower 32
Pulumi token: pul-: hexLower 40
Infracost key: ico-: alnum 32
Vault token: s.: alnum 24
Vault token: hvs. hvr.: urlSafe 24-300
Vault token: hvb.: urlSafe 100-300
Doppler token: dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. dp.said.: dotted 40-90
1Password token: ops_ey: base64 100-4000
1Password key: A3-: urlSafe 36-38 -6
age key: AGE-SECRET-KEY-1: upperNum 58
OpenShift token: sha256~: urlSafe 43
Tailscale key: tskey-: urlSafe 30-80
# code hosts, CI and package registries
GitHub token: ghp_ gho_ ghu_ ghs_ ghr_: alnum 36-255
GitHub token: github_pat_: wordy 50-255
GitLab token: glpat- glrt- glrtr-: dotted 20-400
GitLab token: gldt- glcbt- glft- glsoat- glimt- glffct- glwt-: urlSafe 20-100
GitLab token: glagent- gloas-: urlSafe 40-100
GitLab token: glptt-: hexLower 40
GitLab token: GR1348941: urlSafe 20-50
Bitbucket token: ATBB: alnum 28-36
Atlassian token: ATATT3 ATCTT3: padded 100-300
Trello token: ATTA: alnum 64-80
Sourcegraph token: sgp_ sgd_: wordy 40-64
CircleCI token: CCIPAT_ CCIPRJ_: wordy 50-80
Buildkite token: bkua_: hexLower 40
SonarQube token: squ_ sqp_ sqa_: hexLower 40
Snyk token: snyk_uat. snyk_sat.: dotted 40-400
Octopus key: API-: upperNum 25-32
Harness key: pat. sat.: dotted 60-75 .22
Prefect key: pnu_ pnb_: alnum 36
npm token: npm_: alnum 36
PyPI token: pypi-: urlSafe 50-400
RubyGems key: rubygems_: hexLower 48
NuGet key: oy2: alnum 43
crates.io token: cio: alnum 32
Clojars token: CLOJARS_: alnum 60
Deno token: ddp_ ddo_: alnum 36-40
Packagist token: packagist_: wordy 60-100
Docker token: dckr_pat_ dckr_oat_: urlSafe 20-60
JFrog key: AKCp: alnum 69
JFrog key: cmVmd: alnum 59
# model providers
Anthropic key: sk-ant-: urlSafe 32-300
OpenRouter key: sk-or-: urlSafe 40-100
Langfuse key: sk-lf-: urlSafe 36
OpenAI key: sk-proj- sk-svcacct- sk-admin-: urlSafe 32-300
OpenAI key: sk-: urlSafe 32-200
Hugging Face token: hf_ api_org_: alnum 30-60
Groq key: gsk_: alnum 40-80
xAI key: xai-: alnum 60-120
Replicate token: r8_: alnum 37
Perplexity key: pplx-: alnum 40-64
NVIDIA key: nvapi-: urlSafe 60-80
Fireworks key: fw_: alnum 22-28
Together key: tgp_v1_: urlSafe 40-60
Cerebras key: csk-: alnum 40-64
ElevenLabs key: sk_: hexLower 48
LlamaCloud key: llx-: alnum 40-60
RunPod key: rpa_: upperNum 36-60
Cursor key: key_ crsr_: hexLower 64
Voyage key: pa-: urlSafe 40-48
Jina key: jina_: alnum 50-70
Pinecone key: pcsk_: wordy 50-90
Tavily key: tvly-: urlSafe 28-60
Firecrawl key: fc-: hexLower 32
E2B key: e2b_: hexLower 40
Browserbase key: bb_live_: urlSafe 22-40
Daytona key: dtn_: hexLower 64
LangSmith key: lsv2_pt_ lsv2_sk_: wordy 40-60
Modal token: ak- as-: alnum 22
# chat, payment and shops
Slack token: xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxo-: urlSafe 20-200
Slack token: xoxd-: base64 20-400
Slack token: xoxe-: urlSafe 20-400
Slack token: xoxe.xox: urlSafe 40-400
Slack token: xapp- xwfp-: urlSafe 40-200
Stripe key: sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_: alnum 16-255
Stripe key: whsec_: base64 24-100
Square token: sq0atp-: urlSafe 22
Square token: sq0csp-: urlSafe 43
Square token: EAAA: urlSafe 60
Facebook token: EAA: alnum 90-400
Braintree token: access_token$production$ access_token$sandbox$: dollar 49 $16
Plaid token: access-production- access-sandbox- access-development-: urlSafe 36 -8
Mollie key: live_ test_: alnum 30-31
GoCardless token: live_: urlSafe 40-44
Duffel token: duffel_live_ duffel_test_: padded 43
EasyPost key: EZAK EZTK: alnum 54
Shippo token: shippo_live_ shippo_test_: hexAny 40
Flutterwave key: FLWSECK- FLWSECK_TEST-: urlSafe 12-48
Paddle key: pdl_live_apikey_ pdl_sdbx_apikey_: wordy 40-80
SumUp key: sup_sk_: alnum 20-60
Shopify token: shpat_ shpss_ shpca_ shppa_ shpua_: hexAny 32
# everything else
SendGrid key: SG.: dotted 60-80
Mailgun key: key-: hexLower 32
Mandrill key: md-: urlSafe 22
Brevo key: xkeysib- xsmtpsib-: urlSafe 70-90
Resend key: re_: wordy 30-40 _8
Klaviyo key: pk_: hexLower 34
Intercom token: dG9r: base64 50-80
Twilio key: SK: hexLower 32
Supabase key: sb_secret_: urlSafe 28-64
Supabase token: sbp_: hexLower 40
PlanetScale token: pscale_tkn_ pscale_pw_ pscale_oauth_: loose 32-64
Neon key: napi_: alnum 56-72
MongoDB Atlas secret: mdb_sa_sk_: urlSafe 36-60
Aiven password: AVNS_: urlSafe 16-24
CockroachDB key: CCDB1_: wordy 50-80
Confluent secret: cflt: base64 60
ClickHouse key: 4b1d: alnum 38
dbt token: dbtc_ dbtu_: urlSafe 36-60
Grafana token: glsa_: wordy 40-60
Grafana token: glc_: base64 32-400
Grafana token: eyJrIjoi: base64 60-400
New Relic key: NRAK-: upperNum 27
New Relic key: NRII-: urlSafe 32
Dynatrace token: dt0c01. dt0s01. dt0s16.: dotted 80-100 .24
Honeycomb key: hcaik_ hcbik_ hcxik_ hcamk_: alnum 40-70
Sentry token: sntrys_: base64 60-400
Sentry token: sntryu_ sntrya_: hexLower 64
Logfire token: pylf_v1_: wordy 40-60
Axiom token: xaat- xapt-: urlSafe 36 -8
PostHog key: phx_ phs_: alnum 36-60
LaunchDarkly key: sdk- api-: urlSafe 36 -8
StackHawk key: hawk.: dotted 40-50 .20
Inngest key: signkey-prod- signkey-test-: hexLower 64
Trigger key: tr_prod_ tr_dev_ tr_stg_: alnum 20-24
Stytch secret: secret-live- secret-test-: padded 36-60
Airtable token: pat: dotted 79 .14
HubSpot token: pat-na1- pat-na2- pat-eu1- pat-ap1-: urlSafe 36 -8
Linear key: lin_api_ lin_oauth_: alnum 32-64
Figma token: figd_: urlSafe 38-60
Notion token: ntn_: alnum 40-60
Notion token: secret_: alnum 43
Postman key: PMAK-: urlSafe 50-80
Typeform token: tfp_: dotted 40-70
Contentful token: CFPAT-: urlSafe 43
Sanity token: sk: alnum 150-200
Mapbox token: sk.eyJ: dotted 60-300
Dropbox token: sl.: dotted 130-2000
Adafruit key: aio_: alnum 28
Adobe secret: p8e-: alnum 32
Readme key: rdme_: alnum 70
Scalingo token: tk-us-: urlSafe 48
Frame.io token: fio-u-: padded 64
Nebula key: dnkey-: padded 79
SettleMint token: sm_pat_ sm_aat_ sm_sat_: alnum 16
Intra 42 secret: s-s4t2ud- s-s4t2af-: hexLower 64
WakaTime key: waka_: urlSafe 36 -8`

// alphabet returns the letters of a class of tokens, and the signs that it has besides.
func alphabet(class string) (letters, signs string) {
	const lower, upper, digits = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	switch class {
	case "upperNum":
		return upper + digits, ""
	case "hexLower":
		return digits + "abcdef", ""
	case "hexAny":
		return digits + "abcdef" + "ABCDEF", ""
	}
	signs = map[string]string{"alnum": "", "wordy": "_", "urlSafe": "_-", "padded": "_-=", "dotted": "_-.",
		"loose": "_-.=", "dollar": "$", "base64": "+/="}[class]
	return lower + upper + digits, signs
}

// tokenForm is a row of tokenForms.
type tokenForm struct {
	kind, class string
	prefixes    []string
	min, max    int
	sep         byte
	pos         int
}

func parseTokenForms(t *testing.T) (forms []tokenForm) {
	t.Helper()
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		require.NoError(t, err)
		return n
	}
	for line := range strings.SplitSeq(strings.TrimSpace(tokenForms), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, ": ")
		require.Len(t, cells, 3, line)
		rest := strings.Fields(cells[2])
		f := tokenForm{kind: cells[0], prefixes: strings.Fields(cells[1]), class: rest[0]}
		least, most, ranged := strings.Cut(rest[1], "-")
		if f.min, f.max = number(least), number(least); ranged {
			f.max = number(most)
		}
		if len(rest) > 2 {
			f.sep, f.pos = rest[2][0], number(rest[2][1:])
		}
		forms = append(forms, f)
	}
	return forms
}

// rest returns n random bytes of the form, with each of its signs among them.
func (f tokenForm) rest(random *rand.Rand, n int) string {
	letters, signs := alphabet(f.class)
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[random.Intn(len(letters))]
	}
	b[1], b[3] = letters[len(letters)-1], letters[0] // a digit and a letter at least
	for i := range len(signs) {
		b[5+2*i] = signs[i]
	}
	if f.sep != 0 && f.pos < n {
		b[f.pos] = f.sep
	}
	return string(b)
}

// finds reports whether text is found as a whole, as a token of the form's kind.
func (f tokenForm) finds(text string) bool {
	for _, found := range secrets.Find("see " + text + " there") {
		if found.Kind == f.kind && found.Start == len("see ") && found.End == len("see ")+len(text) {
			return true
		}
	}
	return false
}

// TestTokenForms holds every form to its prefix, its alphabet and its lengths.
func TestTokenForms(t *testing.T) {
	for _, f := range parseTokenForms(t) {
		for _, prefix := range f.prefixes {
			t.Run(f.kind+" "+prefix, func(t *testing.T) {
				random := rand.New(rand.NewSource(int64(len(f.kind) * len(prefix))))
				shortest, longest := prefix+f.rest(random, f.min), prefix+f.rest(random, f.max)
				require.True(t, f.finds(shortest), "%d bytes", f.min)
				require.True(t, f.finds(longest), "%d bytes", f.max)
				require.False(t, f.finds(prefix+f.rest(random, f.max+1)), "%d bytes", f.max+1)
				require.False(t, f.finds("x"+shortest), "in a word")
				require.False(t, f.finds(prefix+strings.Repeat("a", f.min)), "one letter")
				middle := len(prefix) + f.min/2
				require.False(t, f.finds(shortest[:middle]+"!"+shortest[middle+1:]), "a foreign sign")
				if f.sep != 0 {
					require.False(t, f.finds(strings.Replace(longest, string(f.sep), "a", -1)), "without separators")
				}
				if !strings.HasPrefix(prefix, "sk-") || prefix == "sk-" { // which is a form of its own
					require.False(t, f.finds(prefix+f.rest(random, f.min-1)), "%d bytes", f.min-1)
				}
			})
		}
	}
}
