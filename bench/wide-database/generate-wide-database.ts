import { makeRandom, type Random } from '../../fixtures/warehouse/random.ts'
import { type Attribute, attributes, type WideCell, type WideType } from './attributes.ts'
import { subjects } from './subjects.ts'

/** A column of a generated table. Some have no comment, as in any real warehouse. */
export interface WideColumn {
  readonly name: string
  readonly type: WideType
  readonly comment: string | null
}

/** A key of one column. An undeclared one holds in the rows, but nobody told the database. */
export interface WideKey {
  readonly column: string
  readonly table: string
  readonly targetColumn: string
  readonly declared: boolean
}

/** A generated table; the first column is its primary key. */
export interface WideTable {
  readonly name: string
  readonly comment: string | null
  readonly columns: readonly WideColumn[]
  readonly keys: readonly WideKey[]
  readonly rowCount: number
  /** Rows in the order of `columns`. The same for the same seed. */
  readonly rows: () => Iterable<readonly WideCell[]>
}

/** How large it becomes. Both counts are met exactly. */
export interface WideSize {
  readonly seed: number
  readonly tables: number
  readonly columns: number
  /** The most rows of a table; the fewest are a tenth of that. */
  readonly mostRows: number
}

export const usualWideSize: WideSize = { seed: 1, tables: 1000, columns: 20_000, mostRows: 200 }

/** What else is kept of a thing, in a table of its own: `fleet_vehicle_events`. */
const companions = ['event', 'note', 'type', 'target', 'document', 'assignment'] as const

/** One table before it has columns. `parent` is the thing that a companion belongs to. */
interface Plan {
  readonly subject: string
  readonly noun: string
  readonly parent: string | null
}

/**
 * A database as a large company has one: a table for each thing of forty departments, companions of these, and keys
 * among the tables of a department, of which about a third are not declared. Throws when `tables` is more than the
 * vocabulary holds (2,800), or `columns` fewer than six a table or more than fifty.
 */
export const generateWideDatabase = (size: WideSize = usualWideSize): readonly WideTable[] => {
  const random = makeRandom(size.seed, 'plan')
  const plans = planTables(size, random)
  const counts = spread(size, random)
  return plans.map((plan, index) => makeTable(plan, plans, counts[index]!, size))
}

const planTables = ({ tables }: WideSize, random: Random): readonly Plan[] => {
  const things: Plan[] = subjects.flatMap(({ name, nouns }) =>
    nouns.map(noun => ({ subject: name, noun, parent: null })),
  )
  const more: Plan[] = things.flatMap(({ subject, noun }) =>
    companions.map(companion => ({ subject, noun: `${noun}_${companion}`, parent: noun })),
  )
  if (tables > things.length + more.length)
    throw new Error(`there are words for ${things.length + more.length} tables at most`)
  const chosen =
    tables <= things.length
      ? things.slice(0, tables)
      : [...things, ...random.shuffle(more).slice(0, tables - things.length)]
  return chosen.sort((a, b) => (tableName(a) < tableName(b) ? -1 : 1))
}

/** How many columns each table gets: anything from 6 to 50, and exactly so many in all. */
const spread = ({ tables, columns }: WideSize, random: Random): readonly number[] => {
  const mean = columns / tables
  if (mean < 6 || mean > 50) throw new Error('a table has from 6 to 50 columns')
  const counts = Array.from({ length: tables }, () =>
    Math.max(6, Math.min(50, Math.round(mean * (1 + random.bell() / 3)))),
  )
  let over = counts.reduce((sum, count) => sum + count, 0) - columns
  while (over !== 0) {
    const at = random.whole(0, tables - 1)
    const count = counts[at]! - Math.sign(over)
    if (count < 6 || count > 50) continue
    counts[at] = count
    over -= Math.sign(over)
  }
  return counts
}

const plural = (noun: string): string =>
  /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`

const tableName = ({ subject, noun }: Pick<Plan, 'subject' | 'noun'>): string => `${subject}_${plural(noun)}`

/** Half of the departments call every key `id`, the other half after the thing. */
const keyOf = (subject: string, noun: string): string =>
  subjects.findIndex(({ name }) => name === subject) % 2 === 0 ? 'id' : `${noun}_id`

const inWords = (name: string): string => name.replaceAll('_', ' ')

const rowsOf = (name: string, { seed, mostRows }: WideSize): number =>
  makeRandom(seed, `${name} rows`).whole(Math.max(1, Math.floor(mostRows / 10)), mostRows)

const makeTable = (plan: Plan, plans: readonly Plan[], columnCount: number, size: WideSize): WideTable => {
  const name = tableName(plan)
  const random = makeRandom(size.seed, name)
  const keys = keysOf(plan, plans, random)
  const drawn = drawAttributes(columnCount - 1 - keys.length, random)
  const thing = inWords(plan.noun)
  const commented = (comment: string): string | null =>
    random.chance(0.7) ? comment.replaceAll('{thing}', thing) : null
  const columns: readonly WideColumn[] = [
    { name: keyOf(plan.subject, plan.noun), type: 'integer', comment: null },
    ...keys.map(key => ({ name: key.column, type: 'integer' as const, comment: null })),
    ...drawn.map(({ name, type, comment }) => ({ name, type, comment: commented(comment) })),
  ]
  const rowCount = rowsOf(name, size)
  const targets = keys.map(key => rowsOf(key.table, size))
  return {
    name,
    comment: random.chance(0.8) ? `Each row is a ${thing} of the ${inWords(plan.subject)} department.` : null,
    columns,
    keys,
    rowCount,
    rows: function* () {
      const draws = makeRandom(size.seed, `${name} cells`)
      for (let row = 1; row <= rowCount; row++)
        yield [
          row,
          ...targets.map(count => draws.whole(1, count)),
          ...drawn.map(({ draw }) => draw(draws, row)),
        ]
    },
  }
}

/** To the thing that it belongs to, and to up to two other things of the department that come before it. */
const keysOf = (plan: Plan, plans: readonly Plan[], random: Random): readonly WideKey[] => {
  const others = plans.filter(
    other =>
      other.subject === plan.subject && other.parent === null && other.noun < (plan.parent ?? plan.noun),
  )
  const nouns = [
    ...(plan.parent === null ? [] : [plan.parent]),
    ...random
      .shuffle(others)
      .slice(0, random.whole(0, 2))
      .map(({ noun }) => noun),
  ]
  return nouns.map(noun => ({
    column: `${noun}_id`,
    table: tableName({ subject: plan.subject, noun }),
    targetColumn: keyOf(plan.subject, noun),
    declared: random.chance(2 / 3),
  }))
}

/** Wider tables tell the same things of a second party: `city`, and `billing_city`. */
const roles = ['billing', 'delivery', 'former']

const drawAttributes = (count: number, random: Random): readonly Attribute[] => {
  const all = [
    ...attributes,
    ...roles.flatMap(role => attributes.map(one => ({ ...one, name: `${role}_${one.name}` }))),
  ]
  const plain = random.shuffle(attributes).slice(0, Math.ceil(count * 0.85))
  const taken = new Set(plain.map(({ name }) => name))
  const rest = random.shuffle(all.slice(attributes.length)).filter(({ name }) => !taken.has(name))
  return [...plain, ...rest].slice(0, count)
}
