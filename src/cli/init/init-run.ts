import type { Resources } from '../../bootstrap/resources.ts'
import type { Config } from '../../config/config.ts'
import type { Environment } from '../../config/env.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { Prompts } from './prompts.ts'

/** What `init` was told on the command line. */
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

/** The configuration of this moment, and what was made with it. */
export interface LoadedSetup {
  readonly config: Config
  readonly resources: Resources
}

/** All that a step of `init` is handed. */
export interface InitRun {
  readonly options: InitOptions
  /** Null where nobody is asked. */
  readonly prompts: Prompts | null
  /** Tells the person a line; nothing where the output is JSON. */
  readonly print: (line?: string) => void
  /** A line on what is done, weak, broken, or to be done. */
  readonly mark: (status: 'ok' | 'weak' | 'broken' | 'to do', line: string) => void
  /** The environment and `.env` as they are this moment. */
  readonly environment: () => Environment
  readonly setup: () => LoadedSetup
  /** Reads the configuration again, after a step has changed it. */
  readonly reload: () => LoadedSetup
  readonly now: Date
  readonly signal: AbortSignal
  readonly clearProgress: () => void
}

/** Something about the flags is wrong, or one is missing where nobody can be asked. Exit status 2. */
export const flagError = (message: string): QuerentError => new QuerentError('bad-arguments', message)

/** Whether a step may go on with an error told: the person can correct what it speaks of. */
export const isCorrectable = (error: unknown): error is QuerentError =>
  error instanceof QuerentError && error.code !== 'cancelled' && error.code !== 'internal'
