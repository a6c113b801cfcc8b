import type { Resources } from '../../bootstrap/resources.ts'
import type { Config } from '../../config/config.ts'
import type { Environment } from '../../config/env.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { Prompts } from './prompts.ts'

/** The options of `init`. */
export interface InitOptions {
  readonly database?: string
  readonly databaseFromEnv?: string
  readonly name?: string
  readonly description?: string
  readonly replace?: boolean
  readonly slack?: string
  readonly url?: string
  readonly yes?: boolean
  readonly json?: boolean
}

/** The current configuration, and the resources opened with it. */
export interface LoadedSetup {
  readonly config: Config
  readonly resources: Resources
}

/** What every step of `init` gets. */
export interface InitRun {
  readonly options: InitOptions
  /** Null if `init` must not ask. */
  readonly prompts: Prompts | null
  /** Prints a line, unless the output is JSON. */
  readonly print: (line?: string) => void
  /** Prints a line with its status. */
  readonly mark: (status: 'ok' | 'weak' | 'broken' | 'to do', line: string) => void
  /** The current environment and `.env`. */
  readonly environment: () => Environment
  readonly setup: () => LoadedSetup
  /** Reads the configuration again, after a step has changed it. */
  readonly reload: () => LoadedSetup
  readonly now: Date
  readonly signal: AbortSignal
  readonly clearProgress: () => void
}

/** An error for a wrong or missing flag. Exit status 2. */
export const flagError = (message: string): QuerentError => new QuerentError('bad-arguments', message)

/** True if a person can correct the cause of an error, so that the step can ask again. */
export const isCorrectable = (error: unknown): error is QuerentError =>
  error instanceof QuerentError && error.code !== 'cancelled' && error.code !== 'internal'
