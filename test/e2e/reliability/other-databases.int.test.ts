import { createServer, type Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { makeSqliteFile } from '../../helpers/sqlite-file.ts'
import { isTable } from '../message-parts.ts'
import { openWorkspace } from '../open-workspace.ts'

const schema = (table: string): string =>
  `create table ${table} (id integer primary key, city text); insert into ${table} values (1, 'Hull')`

/** A server that takes connections and never says a word. */
const startSilentServer = async () => {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `postgres://reader:secret-of-nobody@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/shop`,
    isAsked: () => sockets.size > 0,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

interface Line {
  readonly level: string
  readonly msg: string
  readonly database?: string
  readonly tables?: number
  readonly columns?: number
}

const logOf = ({ lines }: { readonly lines: readonly string[] }): readonly Line[] =>
  lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line))

describe('a bot with several databases', { timeout: 180_000 }, () => {
  it('indexes them once it is ready, whichever of them are away', async () => {
    const [ships, ports] = [makeSqliteFile(schema('ships')), makeSqliteFile(schema('ports'))]
    try {
      await using workspace = await openWorkspace({
        databases: {
          ships: { path: ships.file },
          gone: { path: `${ports.file}.gone` },
          ports: { path: ports.file },
        },
      })
      const bot = await workspace.bot.start()
      await vi.waitFor(
        () => {
          const about = logOf(bot).filter(({ database }) => database !== undefined)
          expect(
            about.map(({ level, database, tables, columns }) => [level, database, tables, columns]),
          ).toEqual(
            expect.arrayContaining([
              ['info', 'ships', 1, 2],
              ['warn', 'gone', undefined, undefined],
              ['info', 'ports', 1, 2],
            ]),
          )
        },
        { timeout: 60_000 },
      )
      const question = await workspace.ask('@querent how many bicycles are there by kind?')
      await workspace.reply(question, isTable)
    } finally {
      ships.remove()
      ports.remove()
    }
  })

  it('stops although one of them does not respond', async () => {
    await using silent = await startSilentServer()
    await using workspace = await openWorkspace({ databases: { silent: { url: silent.url } } })
    const bot = await workspace.bot.start()
    await vi.waitFor(() => expect(silent.isAsked()).toBe(true), { timeout: 60_000 })
    expect(await bot.end('SIGTERM', 28_000)).toEqual({ code: 0, signal: null })
  })
})
