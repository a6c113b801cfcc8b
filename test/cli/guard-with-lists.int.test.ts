import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDatabaseReference } from '../../src/databases/database-reference.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { openDatabase } from '../../src/databases/open-database.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import { trickLists, worldStatements } from '../databases/guard/scope-tricks/trick-database.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { createMysqlDatabase } from '../helpers/services/mysql-database.ts'
import { requireService } from '../helpers/services/require-service.ts'

const url = requireService('MYSQL_URL', 'the guard command with lists on MariaDB and MySQL')

const statements = [
  'SELECT name FROM customers',
  'SELECT email FROM customers',
  'SELECT * FROM nosuch',
  'SELECT * FROM salaries',
  'WITH sálaries AS (SELECT 1 AS id) SELECT * FROM salaries',
  'WITH salaries AS (SELECT 1 AS id) SELECT * FROM salaries',
  'WITH Totals AS (SELECT 1 AS id) SELECT * FROM totals',
  'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n',
  'SELECT (SELECT C.email FROM (SELECT 1 AS email) c LIMIT 1) FROM customers C',
]

test.skipIf(url === null)(
  'querent guard --database gives the verdict of the bot, reason and all',
  async () => {
    const made = await createMysqlDatabase(url ?? '')
    const folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
    try {
      for (const statement of worldStatements('first')) await made.admin(statement)
      const lists = `    tables: {exclude: [salaries]}\n    columns: {exclude: [customers.email], mask: [customers.ssn]}\n`
      writeFileSync(join(folder, 'querent.yml'), `databases:\n  shop:\n    url: ${made.url}\n${lists}`)
      const { status, out, err } = await runCli(['guard', '--database', 'shop'], {
        folder,
        home: join(folder, 'home'),
        env: { QUERENT_CONFIG: join(folder, 'querent.yml') },
        input: statements.map((sql, id) => JSON.stringify({ id, sql })).join('\n'),
      })
      expect(status, err).toBe(0)
      const said = out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as { verdict: string; reason: string | null })
      const opened = await openDatabase(parseDatabaseReference(made.url, { baseFolder: folder }), {
        audit: silentAudit,
        guard: makeGuard(),
        limits: { timeoutMs: 10_000, maxRows: 10, maxBytes: 100_000 },
        scope: trickLists,
      })
      try {
        const verdicts = statements.map(sql => opened.database.guard(sql))
        expect(said.map(({ verdict, reason }) => ({ verdict, reason }))).toEqual(
          verdicts.map(one => ({
            verdict: one.verdict,
            reason: one.verdict === 'refuse' ? one.reason : null,
          })),
        )
        expect(verdicts.map(({ verdict }) => verdict)).toEqual([
          'allow',
          'refuse',
          'refuse',
          'refuse',
          'refuse',
          'allow',
          'refuse',
          'allow',
          'refuse',
        ])
        const allowed = opened.database.guard('SELECT POW(10, 1000) AS qz')
        if (allowed.verdict === 'refuse') throw new Error(allowed.reason)
        await expect(opened.database.run(allowed.guarded)).rejects.toThrow(
          'The database could not finish the statement.',
        )
      } finally {
        await opened.close()
      }
    } finally {
      await made.drop()
      rmSync(folder, { recursive: true })
    }
  },
  60_000,
)
