import { potteryTables } from '../drafting/pottery.ts'

const types: Readonly<Record<string, string>> = { integer: 'integer', date: 'date' }

/** Statements that make the studio for real, with one row where one is needed to tell an empty result from a full one. */
export const potteryDdl: readonly string[] = [
  ...potteryTables.map(
    ({ name, columns }) =>
      `CREATE TABLE "${name}" (${columns.map(column => `"${column.name}" ${types[column.kind] ?? 'text'}`).join(', ')})`,
  ),
  `INSERT INTO studios VALUES (1, 'North Quay', 'Bergen')`,
  `INSERT INTO makers VALUES (1, 'Ada', 'Bergen', 1), (2, 'Bo', 'Aarhus', 1), (3, 'Cy', 'São Tomé', 1)`,
  `INSERT INTO pieces VALUES (1, 1, 'Celadon', '2026-10-05'), (2, 2, 'Iron red', '2026-10-06')`,
]
