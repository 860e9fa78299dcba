/** The request that is sent, and what becomes of its answer: its body is read. */
export const address = 'http://api.example.com'

export async function ask(fetch, base = address) {
  const request = new Request(`${base}/api/cli/whoami`, {
    headers: { authorization: 'Bearer wak_test_demo' },
  })
  const response = await fetch(request)
  if (response.status !== 200) throw new Error(`answered ${response.status}`)
  await response.json()
}
