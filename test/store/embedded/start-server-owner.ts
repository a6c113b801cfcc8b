import { type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The embedded server as another process holds it. */
export interface ServerOwner {
  readonly owner: 'started' | 'attached'
  readonly adminUrl: string
  readonly folder: string
  /** Lets that process stop properly. */
  stop(): Promise<void>
  /** Ends that process without a chance to clean up. */
  kill(): Promise<void>
}

/** Starts, or attaches to, the server of a home from a process of its own. Rejects with what that process printed. */
export const startServerOwner = async (home: string, options: ForkOptions = {}): Promise<ServerOwner> => {
  const child = fork(join(import.meta.dirname, 'server-owner-process.ts'), [home], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    ...options,
  })
  const exited = once(child, 'exit')
  let printed = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  const held = await Promise.race([
    once(child, 'message').then(([message]) => message as Pick<ServerOwner, 'owner' | 'adminUrl' | 'folder'>),
    exited.then(() => {
      throw new Error(printed)
    }),
  ])
  return {
    ...held,
    stop: async () => {
      child.send('stop')
      await exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
