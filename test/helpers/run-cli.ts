import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** What a command left behind. */
export interface CliRun {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

const cli = join(import.meta.dirname, '../../src/cli.ts')

/**
 * Runs the command line as a person would, in a process of its own with only the environment given: `folder` is where
 * the command is typed, `home` where Querent keeps its things.
 */
export const runCli = (
  args: readonly string[],
  options: {
    readonly folder: string
    readonly home: string
    readonly input?: string
    readonly env?: NodeJS.ProcessEnv
  },
): Promise<CliRun> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cli, ...args], {
      cwd: options.folder,
      env: {
        PATH: process.env.PATH,
        INIT_CWD: options.folder,
        QUERENT_HOME: options.home,
        NO_COLOR: '1',
        TZ: 'UTC',
        ...options.env,
      },
    })
    let out = ''
    let err = ''
    child.stdout.on('data', chunk => {
      out += String(chunk)
    })
    child.stderr.on('data', chunk => {
      err += String(chunk)
    })
    child.once('error', reject)
    child.once('close', status => resolve({ status, out, err }))
    child.stdin.end(options.input ?? '')
  })
