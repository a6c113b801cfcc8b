import { type ChildProcess, fork } from 'node:child_process'
import process from 'node:process'
import type { Catalog } from '../../../domain/catalog.ts'
import { type QuerentError, SqlError } from '../../../domain/errors.ts'
import type { Cell, ResultColumn } from '../../../domain/result.ts'

/** A child that has not opened its files by then never will. */
const startMilliseconds = 30_000

interface ChildOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  readonly onRows?: (rows: readonly (readonly Cell[])[]) => void
}

/**
 * A process with an open database. It runs one request at a time. A request that times out, is aborted or breaks the
 * opened database ends it.
 */
export interface Child {
  readonly pid: number
  /** False once it is being ended, even if the process still exists. */
  readonly isAlive: () => boolean
  readonly request: (request: ChildRequest, options: ChildOptions) => Promise<ChildReply>
  /** Resolves when the process is gone. */
  readonly kill: () => Promise<void>
}

/** What is forked. */
interface ChildProgram {
  /** Absolute path of the program, which calls `serve`. */
  readonly path: string
  /** The program's first argument, before the parent's pid. */
  readonly told: string
  /** Its whole environment: a hostile file must find nothing to steal. */
  readonly env: Readonly<Record<string, string>>
  /** The error to throw if it cannot open what it should read. */
  readonly cannotOpen: (error: ChildError) => QuerentError
  readonly toSqlError: (error: ChildError) => SqlError
  /** Which statement broke the opened database for good, if one did; without it no statement can. */
  readonly brokenBy?: (error: ChildError) => 'this-statement' | 'an-earlier-one' | null
}

const cancelledBefore = (): SqlError =>
  new SqlError('cancelled', 'The statement was cancelled before it started.')

const start = ({ path, told, env }: ChildProgram): ChildProcess =>
  fork(path, [told, String(process.pid)], {
    env: { ...env },
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=256'],
    // Structured clone keeps big integers and bytes as they are.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })

/** An idle child must not keep the parent's event loop alive; a working one must. */
const keepEventLoopAlive = (child: ChildProcess, open: boolean): void => {
  if (open) child.ref()
  else child.unref()
  if (!child.connected) return
  if (open) child.channel?.ref()
  else child.channel?.unref()
}

/**
 * Forks a child and waits until it has opened its database. Rejects with what `cannotOpen` makes, and with
 * `SqlError('cancelled')` once the process is gone if `signal` fires first.
 */
export const forkChild = async (program: ChildProgram, signal?: AbortSignal): Promise<Child> => {
  if (signal?.aborted) throw cancelledBefore()
  const child = start(program)
  let alive = true
  /** A process can live for a while after the signal that ends it, and may even answer. */
  let ending = false
  /** The listener for the next message. There is one, because a child does one thing at a time. */
  let listen: (message: ChildMessage | { readonly type: 'gone'; readonly why: string }) => void = () => {}
  const gone = new Promise<void>(resolve => {
    const end = (why: string): void => {
      alive = false
      listen({ type: 'gone', why })
      resolve()
    }
    // `close` and not `exit`: it comes after the last message has been read.
    child.once('close', (code, signal) => end(signal ?? `exit code ${code}`))
    // Not `once`: a broken pipe can report twice, and an unhandled error would end this process.
    child.on('error', error => {
      ending = true
      if (child.pid === undefined) end(error.message)
      else child.kill('SIGKILL')
    })
  })
  child.on('message', message => listen(message as ChildMessage))

  const kill = (): Promise<void> => {
    ending = true
    if (alive) {
      keepEventLoopAlive(child, true)
      child.kill('SIGKILL')
    }
    return gone
  }

  const opened = await new Promise<ChildMessage | { type: 'gone'; why: string }>(resolve => {
    const finish = (message: ChildMessage | { type: 'gone'; why: string }): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      resolve(message)
    }
    const onAbort = (): void => finish({ type: 'gone', why: 'it was cancelled' })
    const timer = setTimeout(
      () => finish({ type: 'gone', why: 'it did not start in time' }),
      startMilliseconds,
    )
    signal?.addEventListener('abort', onAbort, { once: true })
    listen = finish
  })
  if (opened.type !== 'ready') {
    await kill()
    if (signal?.aborted) throw cancelledBefore()
    if (opened.type === 'not-opened') throw program.cannotOpen(opened)
    const why = opened.type === 'gone' ? opened.why : opened.type
    throw program.cannotOpen({
      resultCode: null,
      message: `the process that reads it failed (${why})`,
    })
  }
  keepEventLoopAlive(child, false)

  const request = (
    request: ChildRequest,
    { timeoutMs, signal, onRows }: ChildOptions,
  ): Promise<ChildReply> => {
    const { promise, resolve, reject } = Promise.withResolvers<ChildReply>()
    let stopped: SqlError | null = null
    let brokenBefore = false
    const stop = (reason: SqlError): void => {
      stopped ??= reason
      void kill()
    }
    const fail = (message: ChildError): void => {
      const broken = program.brokenBy?.(message) ?? null
      brokenBefore = broken === 'an-earlier-one'
      if (broken === null) reject(program.toSqlError(message))
      else stop(program.toSqlError(message))
    }
    const onAbort = (): void => stop(new SqlError('cancelled', 'The statement was cancelled.'))
    const timer = setTimeout(
      () => stop(new SqlError('timeout', `The statement was stopped after ${timeoutMs} ms.`)),
      timeoutMs,
    )

    listen = message => {
      if (message.type === 'rows') onRows?.(message.rows)
      else if (message.type === 'gone' && brokenBefore && stopped !== null)
        resolve({ type: 'broken-before', error: stopped })
      else if (message.type === 'gone')
        reject(
          stopped ??
            new SqlError(
              'other',
              `The process that ran the statement ended (${message.why}); it may have run out of memory.`,
            ),
        )
      // The answer came after the signal was sent. The next caller must not get a process that is about to end.
      else if (stopped !== null) return
      else if (message.type === 'failed') fail(message)
      else if (message.type === 'done' || message.type === 'catalog') resolve(message)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) reject(new SqlError('cancelled', 'The statement was cancelled.'))
    else if (!alive) listen({ type: 'gone', why: 'before it started' })
    else {
      keepEventLoopAlive(child, true)
      child.send(request)
    }
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      listen = () => {}
      if (alive) keepEventLoopAlive(child, false)
    })
  }

  return {
    pid: child.pid ?? -1,
    isAlive: () => alive && !ending && child.connected,
    request,
    kill,
  }
}

/** What the parent asks a child to do. A child does one thing at a time. */
export type ChildRequest =
  | {
      readonly type: 'run'
      readonly sql: string
      readonly maxRows: number
      readonly maxBytes: number
    }
  | { readonly type: 'introspect' }

/** A failure as it is sent to the parent: the result code, if the database has them, and the message. */
export interface ChildError {
  readonly resultCode: number | null
  readonly message: string
}

/**
 * What a child sends. First `ready` or `not-opened`, once. Then for each request any number of `rows`, and one of
 * `done`, `catalog` or `failed`.
 */
export type ChildMessage =
  | { readonly type: 'ready' }
  | ({ readonly type: 'not-opened' } & ChildError)
  | { readonly type: 'rows'; readonly rows: readonly (readonly Cell[])[] }
  | {
      readonly type: 'done'
      readonly columns: readonly ResultColumn[]
      readonly truncated: 'rows' | 'bytes' | null
    }
  | { readonly type: 'catalog'; readonly catalog: Catalog }
  | ({ readonly type: 'failed' } & ChildError)

/** How a request ends. `broken-before`: nothing was wrong with it, but an earlier one had broken the child. */
export type ChildReply =
  | Extract<ChildMessage, { type: 'done' | 'catalog' }>
  | { readonly type: 'broken-before'; readonly error: SqlError }
