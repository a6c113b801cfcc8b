import { type ErrorCode, QuerentError } from './errors.ts'
import type { Usage } from './usage.ts'

/** A model call that came to nothing. `usage` is what it cost all the same: refused and malformed replies count. */
export class ModelError extends QuerentError {
  override readonly name = 'ModelError'
  readonly usage: Usage

  constructor(code: ErrorCode, message: string, options: { usage: Usage; cause?: unknown }) {
    super(code, message, options)
    this.usage = options.usage
  }
}
