/** A call of the emulator's Web API: the method, its parameters, and whose token. */
export type CallEmulator = (
  method: string,
  params: Readonly<Record<string, unknown>>,
  token: string,
) => Promise<ApiAnswer>

/** What a method of Slack's Web API answers. */
export interface ApiAnswer {
  readonly ok: boolean
  readonly error?: string
  readonly [field: string]: unknown
}

/**
 * Calls the emulator. A method that it does not have is Slack's `unknown_method`. Addresses of the emulator in an
 * answer, as of uploads and files, become addresses of the simulator: nobody talks to the emulator but us.
 */
export const makeCallEmulator =
  (emulatorUrl: string, publicUrl: string): CallEmulator =>
  async (method, params, token) => {
    const response = await fetch(`${emulatorUrl}/api/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${token}` },
      body: JSON.stringify(params),
    })
    if (response.status === 404) return { ok: false, error: 'unknown_method' }
    const text = await response.text()
    return JSON.parse(text.replaceAll(emulatorUrl, publicUrl)) as ApiAnswer
  }
