import { userInfo } from 'node:os'
import type { Resources } from '../bootstrap/resources.ts'
import type { Config } from '../config/config.ts'
import type { EnvironmentSource } from '../config/env.ts'
import { QuerentError } from '../domain/errors.ts'
import type { CommandCaller } from '../domain/operations/audit.ts'
import type { Log, OnProgress } from '../domain/operations/telemetry.ts'
import type { LogOptions } from '../telemetry/log.ts'
import type { idPrefixErrors } from './copy/phrases.ts'
import type { Terminal } from './terminal.ts'

/** What every command gets: its terminal, the configuration, the resources, and the signal of Ctrl-C. */
export interface CommandContext {
  readonly config: Config
  readonly log: Log
  readonly terminal: Terminal
  readonly resources: Resources
  /** Where variables and the folder of the project come from. */
  readonly source: EnvironmentSource
  /** Loads the configuration and the resources again after a change. They are released with the first ones. */
  readonly reopen: () => { readonly config: Config; readonly resources: Resources }
  /** Who typed which command, for commands that open resources of their own. */
  readonly shell: CommandCaller
  /** What "now" is: `--as-of`, else the moment of the command. */
  readonly now: Date
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
  readonly clearProgress: () => void
}

/** The environment of a command: this process, or a test. */
export interface CommandHost {
  readonly terminal: Omit<Terminal, 'folder'>
  /** Where variables and the folder of the project come from; this process if left out. */
  readonly source?: EnvironmentSource
  /** Where the log is written; standard error if left out. */
  readonly logTo?: LogOptions['destination']
  /** Stops the command, like Ctrl-C. */
  readonly signal: AbortSignal
}

/** The name of the operating system's user; null if it has none. */
export const currentPerson = (): string | null => {
  try {
    return userInfo().username
  } catch {
    return null
  }
}

/** Stored as the person if the operating system does not know the user. */
export const unknownPerson = 'command line'

const MIN_ID_LENGTH = 4

/**
 * Finds the one thing whose id begins with what was typed, since ids are long. Throws `QuerentError('bad-arguments')`
 * if it is not an id, or if none or several ids begin with it.
 */
export const findByIdPrefix = async <Found>(
  typed: string,
  findByPrefix: (prefix: string) => Promise<readonly Found[]>,
  errors: ReturnType<typeof idPrefixErrors>,
): Promise<Found> => {
  if (!/^[0-9a-f-]+$/i.test(typed) || typed.length < MIN_ID_LENGTH)
    throw new QuerentError('bad-arguments', errors.notAnId(typed, MIN_ID_LENGTH))
  const [found, other] = await findByPrefix(typed)
  if (found === undefined) throw new QuerentError('bad-arguments', errors.notFound(typed))
  if (other !== undefined) throw new QuerentError('bad-arguments', errors.ambiguous(typed))
  return found
}

/** The start of an id, as lists show it. */
export const shortId = (id: string): string => id.slice(0, 8)
