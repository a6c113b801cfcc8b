import { DatabaseSync } from 'node:sqlite'

/** Five people, each of another region; one sees all of them. */
export const regions = ['north', 'south', 'west', 'east'] as const

export type Region = (typeof regions)[number]

/** What a person may see: their region, or everything. */
export type Sight = Region | 'all'

export type Handle = 'ada' | 'jonas' | 'mira' | 'noor' | 'theo'

export type Sights = Readonly<Record<Handle, Sight>>

export const firstSights: Sights = { ada: 'north', jonas: 'south', mira: 'all', noor: 'west', theo: 'east' }

/** After the rights changed in the middle. */
export const laterSights: Sights = { ada: 'south', jonas: 'all', mira: 'north', noor: 'east', theo: 'west' }

export const handles = Object.keys(firstSights) as readonly Handle[]

/** In every text of a row of a region. */
export const markOf = (region: Region): string => `zq${region}`

/** In the phone numbers, which are masked for everyone but who sees everything. */
export const phoneMark = 'zqphone'

const counts: Readonly<Record<Region, number>> = { north: 7, south: 11, west: 13, east: 17 }

/** A shop of deals. No two sums or counts of regions, and of all of them, are the same. */
export const statements = (): string => {
  const rows = regions.flatMap((region, r) =>
    Array.from({ length: counts[region] }, (_, i) => ({
      region,
      stage: i % 3 === 0 ? 'won' : 'lost',
      amount: (r + 1) * 10_007 + i * 13,
    })),
  )
  const values = rows.map(
    ({ region, stage, amount }, i) =>
      `(${i + 1}, ${i + 1}, '${region}', '${stage}', ${amount}, '${markOf(region)} note ${i + 1}')`,
  )
  const accounts = rows.map(
    ({ region }, i) =>
      `(${i + 1}, '${markOf(region)} account ${i + 1}', '${phoneMark}-${region}-55${10 + i}', '${region}')`,
  )
  return `
    create table accounts (id integer primary key, name text, phone text, region text);
    create table deals (id integer primary key, account_id integer references accounts (id), region text, stage text, amount integer, note text);
    insert into accounts values ${accounts.join(', ')};
    insert into deals values ${values.join(', ')};`
}

/** A question, and what its answer is over the rows that somebody sees. */
export interface Known {
  readonly text: string
  /** `{deals}` and `{accounts}` are what the person sees of the tables; null if its figures are not compared. */
  readonly sql: string | null
}

export const questions: readonly Known[] = [
  { text: 'how many deals are there?', sql: 'select count(*) from {deals}' },
  { text: 'how many deals are there by stage?', sql: 'select stage, count(*) from {deals} group by stage' },
  { text: 'what is the total amount of deals?', sql: 'select sum(amount) from {deals}' },
  {
    text: 'what is the total amount of deals by stage?',
    sql: 'select stage, sum(amount) from {deals} group by stage',
  },
  { text: 'how many accounts are there?', sql: 'select count(*) from {accounts}' },
  {
    text: 'how many deals are there by region?',
    sql: 'select region, count(*) from {deals} group by region',
  },
  { text: 'what is the highest amount of deals?', sql: null },
  { text: 'list the notes of deals', sql: 'select note from {deals}' },
  { text: 'list the names of accounts', sql: 'select name from {accounts}' },
  { text: 'list the phones of accounts', sql: null },
  { text: 'show deals of zq accounts in the south', sql: null },
  { text: 'which accounts have the most deals?', sql: null },
]

/** What people say after an answer. */
export const followUps = [
  'by stage instead',
  'only won',
  'by region',
  'and the total amount?',
  'list them',
] as const

/** The cells of the right answer, in no order; computed directly, with the rule written by hand. */
export const referenceFor = (file: string, { sql }: Known, sight: Sight): readonly string[] | null => {
  if (sql === null) return null
  const seen = (table: string): string =>
    sight === 'all' ? table : `(select * from ${table} where region = '${sight}')`
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = database
      .prepare(sql.replace('{deals}', seen('deals')).replace('{accounts}', seen('accounts')))
      .all()
    return rows.flatMap(row => Object.values(row).map(String)).toSorted()
  } finally {
    database.close()
  }
}

/** Settings of querent.yml: who sees what, and where people ask. */
export const settingsFor = (
  sights: Sights,
  idOf: (handle: string) => string,
): Readonly<Record<string, unknown>> => {
  const claims = Object.fromEntries(handles.map(handle => [idOf(handle), { region: sights[handle] }]))
  const grant = {
    rows: { accounts: 'region = {claim.region}', deals: 'region = {claim.region}' },
    masks: { 'accounts.phone': 'last-four' },
  }
  const place = { database: 'cycles', guests: true, outsiders: true }
  return {
    access: {
      people: claims,
      groups: {
        ...Object.fromEntries(
          regions.map(region => [region, { claims: { region }, databases: { cycles: grant } }]),
        ),
        all: { claims: { region: 'all' }, databases: { cycles: {} } },
      },
    },
    channels: { general: place, sales: place },
    directMessages: place,
  }
}
