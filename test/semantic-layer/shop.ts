import { makeGuard } from '../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../src/databases/open-database.ts'
import type { GlossaryTerm } from '../../src/domain/knowledge.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import type { BuiltLayer } from '../../src/semantic-layer/build/build-layer.ts'
import { parseLayerFile } from '../../src/semantic-layer/files/parse-layer-file.ts'
import { limits, makeSqliteFile } from '../databases/catalog/make-database.ts'

/** Tables of a shop with money in cents, for layers that are read from files. */
export const shopTables = `
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, segment TEXT, signed_up_on DATE, closed_at DATE);
    CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price_cents INTEGER, cost_cents INTEGER);
    CREATE TABLE orders (
      id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), number TEXT, status TEXT,
      placed_at TIMESTAMP, shipped_at TIMESTAMP, total_cents INTEGER, shipping_eur REAL
    );
    CREATE TABLE order_lines (
      id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id), product_id INTEGER REFERENCES products (id),
      quantity INTEGER
    );
    CREATE TABLE audit_log (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id), note TEXT);
    INSERT INTO customers VALUES (1, 'Ada', 'club', '2026-01-02', NULL), (2, 'Bo', 'consumer', '2026-02-03', '2026-05-01');
    INSERT INTO products VALUES (1, 'Tent', 20000, 12000), (2, 'Lamp', 3000, 1000);
    INSERT INTO orders VALUES
      (1, 1, 'A-1', 'paid', '2026-10-01 10:00:00', '2026-10-02 10:00:00', 23000, 4.5),
      (2, 2, 'A-2', 'cancelled', '2026-10-03 10:00:00', NULL, 3000, 4.5),
      (3, 2, 'A-3', 'paid', '2026-11-03 10:00:00', NULL, 3000, 4.5);
    INSERT INTO order_lines VALUES (1, 1, 1, 1), (2, 1, 2, 1), (3, 2, 2, 1), (4, 3, 2, 1);
    INSERT INTO audit_log VALUES (1, 1, 'x'), (2, 2, 'y');
`

/** The shop, opened and profiled; `more` are statements that change it first. */
export const openShop = async (more = ''): Promise<OpenDatabase> => {
  const { file, remove } = makeSqliteFile(`${shopTables};${more}`)
  const opened = await openDatabase(
    { dialect: 'sqlite', name: 'shop', location: file },
    { audit: silentAudit, guard: makeGuard(), limits, name: 'shop' },
  )
  return {
    ...opened,
    database: opened.database,
    index: opened.index,
    close: async () => {
      await opened.close()
      remove()
    },
  }
}

/** The file of a text. */
export const layerFile = (text: string) => parseLayerFile(text, { file: 'semantic/shop.yml' })

/** What is wrong, as `line: message`. */
export const problemsOf = ({ problems }: Pick<BuiltLayer, 'problems'>): readonly string[] =>
  problems.map(({ at, message }) => `${at.line}: ${message}`)

export const term = (name: string, sql: string, given: Partial<GlossaryTerm> = {}): GlossaryTerm => ({
  name,
  sql,
  synonyms: [],
  meaning: '',
  columns: [],
  at: { file: 'knowledge/shop.md', line: 3 },
  ...given,
})
