import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { freePort } from '../../../simulator/free-port.ts'
import { until } from '../wait.ts'

/** A Redis of a test's own, which it may stop and start. */
export interface OwnRedis extends AsyncDisposable {
  readonly url: string
  start(): Promise<void>
  stop(): Promise<void>
}

const READY_MS = 10_000

/** Makes one on a free port, and starts it. Nothing is kept on a disk. */
export const startRedisServer = async (): Promise<OwnRedis> => {
  const port = await freePort()
  let child: ChildProcess | null = null
  const stop = async (): Promise<void> => {
    if (!child) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    child = null
    await ended
  }
  const start = async (): Promise<void> => {
    child = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    })
    await until(() => answers(port), {
      timeoutMs: READY_MS,
      waitingFor: 'redis-server to accept connections',
    })
  }
  await start()
  return { url: `redis://127.0.0.1:${port}`, start, stop, [Symbol.asyncDispose]: stop }
}

const answers = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
