import type { ReadScope } from '../../../../src/domain/database.ts'

/** The lists that every trick has to get around. */
export const trickLists: ReadScope = {
  tables: { include: [], exclude: ['salaries'] },
  columns: { exclude: ['customers.email'], mask: ['customers.ssn'] },
}

/**
 * One of two databases that differ in nothing but what the lists hide: whatever a statement gives in one it must give in
 * the other. Hidden values differ in length, order, number and in which of them are NULL. Masked ones keep what may be
 * asked of them: which are NULL and which are equal.
 */
export type World = 'first' | 'second'

const people = ['Ann', 'Bert', 'Cleo', 'Dora', 'Emil', 'Fay']

const text = (value: string | null): string => (value === null ? 'NULL' : `'${value}'`)

const emailOf = (world: World, at: number): string | null => {
  if (world === 'first') return at === 2 ? null : `qzfirst${at}@mail.example`
  return at === 4 ? null : `${'xw'.repeat(9 - at)}second@post.example`
}

const ssnOf = (world: World, at: number): string | null => {
  if (at === 3) return null
  // The first and the last person share one.
  const person = at % 5
  return world === 'first' ? `77${person}-11` : `9${9 - person}0-22-4${person}`
}

const salaryOf = (world: World, at: number): number => (world === 'first' ? 70_101 + at : 9_340_007 - 31 * at)

/** How many rows a world has in `salaries`. */
const salaryCount: Readonly<Record<World, number>> = { first: 4, second: 6 }

/** CREATE statements that every server understands. */
const tables: readonly string[] = [
  'CREATE TABLE customers (id integer PRIMARY KEY, name varchar(100), city varchar(100), email varchar(100), ssn varchar(100), manager_id integer)',
  'CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer, amount integer, note varchar(100), placed_on date)',
  'CREATE TABLE people (id integer PRIMARY KEY, name varchar(100), ssn varchar(100))',
  'CREATE TABLE salaries (id integer PRIMARY KEY, person_id integer, amount integer, bank varchar(100))',
  'CREATE VIEW customer_names AS SELECT id, name FROM customers',
  'CREATE VIEW customer_contacts AS SELECT id, email AS e FROM customers',
  'CREATE VIEW pay AS SELECT person_id AS id, amount FROM salaries',
  "CREATE VIEW written AS SELECT id, name FROM customers WHERE email LIKE '%first%'",
]

const rows = (world: World): readonly string[] => [
  ...people.map(
    (name, at) =>
      `INSERT INTO customers (id, name, city, email, ssn, manager_id) VALUES (${at + 1}, '${name}', '${at % 2 === 0 ? 'Rome' : 'Oslo'}', ${text(emailOf(world, at))}, ${text(ssnOf(world, at))}, ${at === 0 ? 'NULL' : at})`,
  ),
  ...people.map(
    (name, at) =>
      `INSERT INTO people VALUES (${at + 1}, '${name}', ${text(at === 1 ? null : ssnOf(world, at))})`,
  ),
  ...Array.from(
    { length: 8 },
    (_, at) =>
      `INSERT INTO orders VALUES (${at + 1}, ${(at % 6) + 1}, ${10 * (at + 1)}, 'note ${at}', '2026-01-0${at + 1}')`,
  ),
  ...Array.from(
    { length: salaryCount[world] },
    (_, at) =>
      `INSERT INTO salaries VALUES (${at + 1}, ${at + 1}, ${salaryOf(world, at)}, 'bank${world}${at}')`,
  ),
]

/**
 * Statements that make and fill a world. `more` are a server's own: they stand between the tables and the rows, and
 * `{first|second}` in them is one text in one world and another in the other.
 */
export const worldStatements = (world: World, more: readonly string[] = []): readonly string[] => [
  ...tables,
  ...more.map(statement =>
    statement.replaceAll(/\{([^{}|]*)\|([^{}|]*)\}/g, (_, first: string, second: string) =>
      world === 'first' ? first : second,
    ),
  ),
  ...rows(world),
]

/** Texts that hold a hidden or masked value of a world; in no answer and no message may there be one. */
export const secretsOf = (world: World): readonly string[] => [
  ...people.flatMap((_, at) => [emailOf(world, at), ssnOf(world, at)].filter(value => value !== null)),
  ...Array.from({ length: salaryCount[world] }, (_, at) => [
    String(salaryOf(world, at)),
    `bank${world}${at}`,
  ]).flat(),
]
