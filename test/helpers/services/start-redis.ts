import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../../../simulator/free-port.ts'

/** A Redis server of a test's own, which it may stop, start and freeze. Keeps nothing on disk. */
export interface TestRedis extends AsyncDisposable {
  readonly url: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Accepts connections and answers nothing, until it is thawed. */
  freeze(): void
  thaw(): void
}

/** Starts it. */
export const startRedis = async (): Promise<TestRedis> => {
  const port = await freePort()
  let server: ReturnType<typeof spawn> | null = null
  const start = async (): Promise<void> => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    server = child
    const ready = Promise.withResolvers<void>()
    child.stdout.on('data', (text: Buffer) => {
      if (text.includes('Ready to accept connections')) ready.resolve()
    })
    child.once('error', ready.reject)
    await ready.promise
  }
  const stop = async (): Promise<void> => {
    const child = server
    server = null
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    [Symbol.asyncDispose]: stop,
  }
}
