/** What a command left behind. `status` is null when a signal ended its process. */
export interface CliRun {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

/** Where a command is typed, and what it finds there. */
export interface CliEnvironment {
  /** The folder that it is typed in. */
  readonly folder: string
  /** Where Querent keeps its things. */
  readonly home: string
  /** What stands on standard input. */
  readonly input?: string
  /** The whole environment, beside the two folders. */
  readonly env?: NodeJS.ProcessEnv
  /** Stops the command as Ctrl-C does. */
  readonly signal?: AbortSignal
  /** Called with what is written to standard error, as it is written. */
  readonly onErr?: (text: string) => void
}

/** The environment of a command, beside what its process needs. */
export const environmentOf = ({ folder, home, env }: CliEnvironment): NodeJS.ProcessEnv => ({
  INIT_CWD: folder,
  QUERENT_HOME: home,
  ...env,
})
