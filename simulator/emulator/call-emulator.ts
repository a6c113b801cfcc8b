import { makeTakeAlias } from './token-aliases.ts'

/** A call of the emulator's Web API: the method, its parameters, and the caller's token. */
export type CallEmulator = (
  method: string,
  params: Readonly<Record<string, unknown>>,
  token: string,
) => Promise<ApiAnswer>

/** The response of a method of Slack's Web API. */
export interface ApiAnswer {
  readonly ok: boolean
  readonly error?: string
  readonly [field: string]: unknown
}

/**
 * Calls the emulator. A method that it does not have is Slack's `unknown_method`. Addresses of the emulator in an
 * answer, as of uploads and files, become addresses of the simulator: nobody talks to the emulator but us. Rejects when
 * the emulator answers what Slack never would.
 */
export const makeCallEmulator = (emulatorUrl: string, publicUrl: string): CallEmulator => {
  const takeAlias = makeTakeAlias()
  return async (method, params, token) => {
    const response = await fetch(`${emulatorUrl}/api/${method}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        authorization: `Bearer ${takeAlias(token)}`,
      },
      body: JSON.stringify(params),
    })
    if (response.status === 404) return { ok: false, error: 'unknown_method' }
    const text = await response.text()
    const answer = JSON.parse(text.replaceAll(emulatorUrl, publicUrl)) as Partial<ApiAnswer>
    if (typeof answer.ok === 'boolean') return { ...answer, ok: answer.ok }
    throw new Error(`the Slack emulator answered ${method} with ${response.status}: ${text.slice(0, 200)}`)
  }
}
