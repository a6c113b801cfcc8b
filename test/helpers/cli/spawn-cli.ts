import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type CliEnvironment, type CliRun, environmentOf } from './cli-environment.ts'

const cli = join(import.meta.dirname, '../../../src/cli.ts')

/** Runs the command line in a process of its own, for what only a process shows. It takes seconds. */
export const spawnCli = (args: readonly string[], location: CliEnvironment): Promise<CliRun> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cli, ...args], {
      cwd: location.folder,
      env: { PATH: process.env.PATH, NO_COLOR: '1', TZ: 'UTC', ...environmentOf(location) },
    })
    location.signal?.addEventListener('abort', () => child.kill('SIGINT'), { once: true })
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
    child.stdin.end(location.input ?? '')
  })
