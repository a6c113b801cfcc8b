import type { OpenDatabase } from '../../../../src/databases/open-database.ts'
import { inAnyOrder, openUnder, tryStatement } from '../rights/try-rights.ts'
import type { MadeDatabase, NamesServer } from './names-servers.ts'
import { type Setting, secretMark, settingRights, type World, worldStatements } from './names-world.ts'

/** What somebody learns from a statement that they should not. */
export interface Leak {
  readonly kind: 'differs' | 'shows' | 'time'
  readonly why: string
}

/** What a statement came to in both worlds of a setting. */
export type Judged = { readonly leak: Leak | null } & (
  | { readonly status: 'refused'; readonly reason: string }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'rows' }
  /** What is seen depends on the order of rows, too. */
  | { readonly status: 'arbitrary' }
)

/** The worlds of one setting, opened as the bot opens them. */
export interface OpenWorlds {
  readonly setting: Setting
  readonly judge: (sql: string) => Promise<Judged>
  readonly close: () => Promise<void>
}

interface Opened {
  readonly made: MadeDatabase
  readonly opened: OpenDatabase
}

interface Seen {
  readonly status: 'rows' | 'refused' | 'failed'
  readonly text: string
  readonly ms: number
}

/** Makes and opens the worlds of a setting. The shuffled one is made when it is first needed. */
export const openWorlds = async (server: NamesServer, setting: Setting): Promise<OpenWorlds> => {
  const closers: (() => Promise<void>)[] = []
  const open = async (world: World): Promise<Opened> => {
    const made = await server.create(worldStatements(setting, world, server.form))
    closers.push(made.drop)
    const opened = await openUnder(made.address, settingRights(setting, server.form))
    closers.push(opened.close)
    return { made, opened }
  }
  const close = async (): Promise<void> => {
    for (const closer of closers.toReversed()) await closer()
  }
  try {
    const first = await open('first')
    const second = await open('second')
    let shuffled: Promise<Opened> | null = null
    const shuffle = (): Promise<Opened> => {
      shuffled ??= open('shuffled')
      return shuffled
    }
    return { setting, close, judge: sql => judge(setting, server.systemMarks, sql, first, second, shuffle) }
  } catch (error) {
    await close()
    throw error
  }
}

/** Sends a statement to a world. The name of its database is `{db}` in what is seen, too. */
const look = async ({ made, opened }: Opened, sql: string): Promise<Seen> => {
  const began = performance.now()
  const { status, shown, isCut } = await tryStatement(opened, sql.replaceAll('{db}', made.name))
  const ms = performance.now() - began
  const text = status !== 'rows' ? shown : isCut ? 'cut' : inAnyOrder(shown)
  return { status, ms, text: made.name === 'main' ? text : text.replaceAll(made.name, '{db}') }
}

const judge = async (
  setting: Setting,
  marks: RegExp,
  sql: string,
  first: Opened,
  second: Opened,
  shuffle: () => Promise<Opened>,
): Promise<Judged> => {
  const [one, two] = await Promise.all([look(first, sql), look(second, sql)])
  const leak =
    shows(setting, sql, marks, one) ?? shows(setting, sql, marks, two) ?? differs(setting, one, two)
  if (leak?.kind === 'differs') {
    const [again, other] = [await look(first, sql), await look(await shuffle(), sql)]
    if (again.status !== other.status || again.text !== other.text) return { status: 'arbitrary', leak: null }
    // A statement that a busy server has ended differs once.
    if (differs(setting, again, await look(second, sql)) === null) return { status: 'arbitrary', leak: null }
  }
  const found = leak ?? (await slower(sql, one, two, first, second))
  if (one.status === 'refused') return { status: 'refused', reason: one.text, leak: found }
  if (one.status === 'failed') return { status: 'failed', message: one.text, leak: found }
  return { status: 'rows', leak: found }
}

/** A hidden value stands in what is seen. */
const shows = (setting: Setting, sql: string, marks: RegExp, { status, text }: Seen): Leak | null => {
  // Without lists, messages of a database may name its tables.
  if (setting === 'system' && status !== 'rows') return null
  const mark = secretMark(setting)
  return (mark.test(text) && !mark.test(sql)) ||
    (setting === 'system' && marks.test(text) && !marks.test(sql))
    ? { kind: 'shows', why: `shows ${text.slice(0, 160)}` }
    : null
}

const differs = (setting: Setting, one: Seen, two: Seen): Leak | null => {
  if (one.status === two.status && one.text === two.text) return null
  if (setting === 'system' && (one.status !== 'rows' || two.status !== 'rows')) return null
  return {
    kind: 'differs',
    why: `${one.status} ${one.text.slice(0, 160)} | ${two.status} ${two.text.slice(0, 160)}`,
  }
}

/** Only a large difference that comes back counts: worlds are small, and machines busy. */
const isSlower = (one: Seen, two: Seen): boolean =>
  Math.abs(one.ms - two.ms) > 500 && Math.max(one.ms, two.ms) > 10 * Math.min(one.ms, two.ms)

const slower = async (
  sql: string,
  one: Seen,
  two: Seen,
  first: Opened,
  second: Opened,
): Promise<Leak | null> => {
  let [a, b] = [one, two]
  for (let again = 0; again < 3; again += 1) {
    if (!isSlower(a, b) || a.ms > b.ms !== one.ms > two.ms) return null
    a = await look(first, sql)
    b = await look(second, sql)
  }
  return { kind: 'time', why: `takes ${Math.round(a.ms)} ms | ${Math.round(b.ms)} ms` }
}
