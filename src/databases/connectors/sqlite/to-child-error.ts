import type { ChildError } from '../process/wire.ts'

/** SQLite's own codes, used for what node:sqlite lets pass and this connector does not. */
export const genericCode = 1
export const authorizationCode = 23

/** An error of node:sqlite in a form that can be sent. `errcode` is SQLite's extended result code. */
export const toChildError = (error: unknown): ChildError => {
  if (!(error instanceof Error)) return { resultCode: null, message: String(error) }
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null
  return { resultCode: code, message: error.message }
}
