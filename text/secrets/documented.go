package secrets

import "strings"

// documented reports whether a value is a key that a standard, a manual or a development tool prints for everyone to
// use. Keys are listed without their prefixes, so that scanners of this repository find nothing.
func documented(value string) bool {
	const shortest = 16
	value = strings.TrimRight(value, "=")
	if len(value) < shortest {
		return false
	}
	if strings.HasPrefix(value, "eyJ") && documentedPayload(value) {
		return true
	}
	return hasSuffix(value, published()...)
}

// published lists documented keys, by their last 16 bytes or more.
func published() []string {
	return []string{
		// Stripe's API reference, quickstarts and libraries.
		"4eC39HqLyjWDarjtT1zdp7dc", "BQokikJOvBiI2HlWgH4olfQ2", "tR3PYbcVNZZ796tH88S4VQ2u", "26PHem9AhJZvU623DfE1x4sd",
		"VePHdqKTYQjKNInc7u56JBrQ", "mkGsLqEW6SLnZa487HYfJVLf", "7mJuPfZsBzc3JkrANrFrcDqC",
		// GitHub's documentation of OAuth: an access token and a refresh token.
		"16C7e42F292c6912E7710c838347Ae178B4a",
		"1B4a2e77838347a7E420ce178F2E7c6912E169246c34E1ccbF66C46812d16D5B1A9Dc86A1498",
		// The emulators of Azure's storage and of Cosmos DB.
		"K1SZFPTOtr/KBHBeksoGMGw", "IZnqyMsEcaGQy67XIw/Jw",
		// Printed by "supabase start": the secret key, and the key that signs its tokens.
		"N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz", "super-secret-jwt-token-with-at-least-32-characters-long",
		// Google's reCAPTCHA for automated tests.
		"AAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe",
		// The first accounts of Hardhat, Anvil and Ganache.
		"6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80", "5389dc9e86dae88c7a8412f4603b6b78690d",
		"a84ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d",
		// The documentation of Google Maps, SendGrid, Mailgun, Telegram and Discord.
		"DaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe", "B41DRUbKWJHPxaFjMAwdrzWzbVKartNGg",
		"TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr",
		"3ax6xnjp29jd6fds4gc373sgvjxteol0",
		"AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", "ABC-DEF1234ghIkl-zyx57W2v1u123ew11", "ZnCjm1XVW7vRze4b7Cq4se7kKWs",
		// The test vector of Standard Webhooks.
		"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
		// One-time passwords: Google's wiki and RFC 6238.
		"JBSWY3DPEHPK3PXP", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
		// RFC 6749, RFC 6750 and RFC 7515, the last one also in plain base64.
		"2YotnFZFEjr1zCsicMWpAA", "tGzv3JOkF0XG5Qx2TlKWIA", "SplxlOBeZQQYbYS6WxSbIA", "mF_9.B5f-4.1JqM",
		"1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
	}
}

// documentedPayload reports whether a web token is a well-known example: they claim to be John Doe's (jwt.io), joe's
// (RFC 7519) or of Supabase's emulator, whatever they are signed with.
func documentedPayload(token string) bool {
	_, claims, _ := strings.Cut(token, ".")
	return hasPrefix(claims,
		"eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lI", // {"sub":"1234567890","name":"John Doe"
		"eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAs",      // {"iss":"joe",\r\n "exp":1300819380,
		"eyJpc3MiOiJzdXBhYmFzZS1kZW1vI",                     // {"iss":"supabase-demo"
	)
}
