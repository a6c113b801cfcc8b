import { describe, expect, it } from 'vitest'
import { openInBackground } from '../../../src/bootstrap/databases/open-in-background.ts'
import type { Config } from '../../../src/config/config.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import type { Database, IndexReport } from '../../../src/domain/database.ts'
import type { Log, LogFields } from '../../../src/domain/operations/telemetry.ts'
import { makeFolder } from '../../config/make-folder.ts'

const report: IndexReport = {
  ...{ tables: 3, columns: 12, values: 40, milliseconds: 5, bytes: 100, isNew: true },
  ...{ measuredAt: new Date(0), leftOut: [], derivedKeys: [], knowledgeProblems: [] },
}

const configOf = (names: readonly string[], more = ''): Config => {
  const databases = names.map(name => `${name}: {path: ${name}.sqlite}`).join(', ')
  const text = `defaultDatabase: ${names[0]}\ndatabases: {${databases}}\n${more}`
  return loadConfig({ cwd: makeFolder({ 'querent.yml': text }), env: {} })
}

/** Begins opening all but the first database; each ends when the test says so. */
const begin = (config: Config) => {
  const asked: string[] = []
  const views: string[] = []
  const lines: { readonly level: string; readonly message: string; readonly fields: LogFields }[] = []
  const ends = new Map<string, PromiseWithResolvers<IndexReport>>()
  const line =
    (level: string): Log['info'] =>
    (fields, message) =>
      void lines.push({ level, message, fields })
  const log: Log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
  const stopping = new AbortController()
  const done = openInBackground(
    {
      config,
      log,
      openAhead: (name, { signal } = {}) => {
        asked.push(name)
        const end = Promise.withResolvers<IndexReport>()
        ends.set(name, end)
        signal?.addEventListener('abort', () => end.reject(signal.reason))
        return end.promise
      },
      openDatabase: async name => {
        views.push(name)
        return {} as Database
      },
    },
    { opened: config.defaultDatabase ?? '', signal: stopping.signal },
  )
  const turn = () => new Promise(resolve => setImmediate(resolve))
  const logged = (level: string) => lines.filter(one => one.level === level).map(one => one.fields)
  return {
    ...{ asked, views, lines, done, turn, logged },
    stop: () => stopping.abort(),
    finish: async (name: string) => {
      ends.get(name)?.resolve(report)
      await turn()
    },
    fail: async (name: string) => {
      ends.get(name)?.reject(new Error(`${name} is away`))
      await turn()
    },
  }
}

describe('the databases beside the default one', () => {
  it('are opened two at a time, in the order of querent.yml', async () => {
    const { asked, views, done, turn, finish, logged } = begin(configOf(['shop', 'b', 'c', 'a', 'd']))
    await turn()
    expect(asked).toEqual(['b', 'c'])
    await finish('c')
    expect(asked).toEqual(['b', 'c', 'a'])
    await finish('b')
    expect(asked).toEqual(['b', 'c', 'a', 'd'])
    await finish('a')
    await finish('d')
    await done
    // With the semantic layer of each.
    expect(views).toEqual(['c', 'b', 'a', 'd'])
    const ready = { tables: 3, columns: 12, milliseconds: 5, isNew: true }
    expect(logged('info')).toEqual([
      { databases: ['b', 'c', 'a', 'd'] },
      ...['c', 'b', 'a', 'd'].map(database => ({ database, ...ready })),
    ])
  })

  it('do not wait for one that is away, which is told with what to do', async () => {
    const { asked, lines, done, turn, finish, fail, logged } = begin(configOf(['shop', 'gone', 'b', 'c']))
    await turn()
    await fail('gone')
    expect(asked).toEqual(['gone', 'b', 'c'])
    await finish('b')
    await finish('c')
    await done
    expect(logged('warn')).toEqual([{ database: 'gone', error: new Error('gone is away') }])
    expect(lines.find(({ level }) => level === 'warn')?.message).toMatch(/first question.*doctor/)
    expect(logged('info').map(({ database }) => database)).toEqual([undefined, 'b', 'c'])
  })

  it('are no longer opened once the bot is told to stop, and nothing is said of it', async () => {
    const { asked, lines, done, turn, stop } = begin(configOf(['shop', 'b', 'c', 'd']))
    await turn()
    stop()
    await done
    expect(asked).toEqual(['b', 'c'])
    expect(lines.map(({ level }) => level)).toEqual(['info'])
  })

  it('are opened with the glossaries of channels, of the default one too', async () => {
    const { views, done, turn, finish } = begin(
      configOf(
        ['shop', 'b'],
        'channels: {sales: {glossary: sales}, finance: {database: b, glossary: finance}}',
      ),
    )
    await turn()
    await finish('b')
    await done
    expect(views).toEqual(['shop/sales', 'b', 'b/finance'])
  })

  it('are left to the first question where everyone sees a part of their own', async () => {
    const { asked, done, turn, finish, logged } = begin(
      configOf(
        ['shop', 'parts', 'whole'],
        `access:
  groups:
    leads: {members: [U045EF6GH], databases: {whole: {}}}
    all:
      members: everyone
      databases:
        whole: {tables: {exclude: [salaries]}}
        parts: {rows: {orders: 'owner = {person.email}'}}
`,
      ),
    )
    await turn()
    await finish('whole')
    await done
    expect(asked).toEqual(['whole'])
    expect(logged('info').slice(0, 2)).toEqual([{ databases: ['whole'] }, { databases: ['parts'] }])
  })

  it('are none where there is only one', async () => {
    const { asked, lines, done } = begin(configOf(['shop']))
    await done
    expect([asked, lines]).toEqual([[], []])
  })
})
