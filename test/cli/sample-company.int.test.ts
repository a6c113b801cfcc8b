import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedServer, startEmbeddedServer } from '../../src/store/embedded/embedded-server.ts'
import { makeServerFolder } from '../../src/store/embedded/server-folder.ts'
import { countByRegion, readWarehouse, rowsOf } from '../fixtures/warehouse/read-warehouse.ts'
import { runCli } from '../helpers/cli/run-cli.ts'

/** The newcomer's way: no database named, nothing running, a folder for its owner alone. */
describe('asking the sample company', { timeout: 120_000 }, () => {
  let folder: string
  const asOf = '2026-11-20'
  const ask = (...args: string[]) =>
    runCli(['ask', ...args, '--as-of', asOf, '--json'], { folder, home: join(folder, '.querent') })

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  })

  afterAll(async () => {
    const { root } = await makeServerFolder(join(folder, '.querent'))
    rmSync(root, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  })

  it('counts the orders of last month by region as the books do', async () => {
    const { status, out, err } = await ask('how many orders were placed last month by region?')
    expect(err).toBe('')
    expect(status).toBe(0)
    const report = JSON.parse(out)
    expect(report.status).toBe('answered')
    const counted = Object.fromEntries(report.rows.map((row: [string, number]) => row))
    expect(counted).toEqual(countByRegion(readWarehouse(asOf), '2026-10-01', '2026-11-01'))
    expect(report.assumptions.join(' ')).toMatch(/Oct 1 to 31, 2026/)
  })

  describe('once more', () => {
    let hold: EmbeddedServer

    // A server that somebody uses stays, so that it does not start and stop for every question.
    beforeAll(async () => {
      hold = await startEmbeddedServer({ home: join(folder, '.querent') })
    })
    afterAll(() => hold?.stop())

    it('asks back when a question can be read in two ways, and takes the reply', async () => {
      const asked = JSON.parse((await ask('orders by country')).out)
      expect(asked.status).toBe('needs-clarification')
      expect(asked.clarification.options.join(' ')).toMatch(/billing/i)
      expect(asked.clarification.options.join(' ')).toMatch(/shipping/i)
      const second = asked.clarification.options[1]
      const answered = JSON.parse((await ask('orders by country', '--reply', '2')).out)
      expect(answered.status).toBe('answered')
      expect(answered.sql).toContain(/billing/i.test(second) ? 'billing_country' : 'shipping_country')
      const orders = readWarehouse(asOf).get('orders')?.length
      const counts: number[] = answered.rows.map((row: unknown[]) =>
        row.find(cell => typeof cell === 'number'),
      )
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(orders)
    })

    it('is sure of the metric whose very name was said, whatever else is called so', async () => {
      const { confidence, sql } = JSON.parse((await ask('what was our revenue last month?')).out)
      expect(sql).toContain('total_cents')
      expect(confidence).toBeGreaterThan(0.8)
    })

    it('counts a value in every spelling that people typed', async () => {
      const customers = rowsOf(readWarehouse(asOf), 'customers')
      const german = customers.filter(({ country }) => /^\s*germany\s*$/i.test(String(country)))
      expect(new Set(german.map(({ country }) => country)).size).toBeGreaterThan(1)
      const { rows, assumptions } = JSON.parse((await ask('how many customers are from Germany?')).out)
      expect(rows).toEqual([[german.length]])
      expect(assumptions).toEqual([])
    })

    it('takes follow-ups, each as a change of the one before', async () => {
      const inYear = 'how many orders were placed in 2025?'
      const counted = JSON.parse((await ask(inYear)).out).rows[0][0]
      const byMonth = JSON.parse((await ask('and by month?', '--after', inYear)).out)
      expect(byMonth.status).toBe('answered')
      expect(byMonth.rows).toHaveLength(12)
      expect(byMonth.rows.reduce((sum: number, [, count]: [string, number]) => sum + count, 0)).toBe(counted)
      expect(byMonth.assumptions[0]).toMatch(/^Same as before, by month/)
      const signedUp = 'how many customers signed up in 2025?'
      const clubIn2025 = rowsOf(readWarehouse(asOf), 'customers').filter(
        ({ segment, signed_up_on: day }) => segment === 'club' && String(day).startsWith('2025'),
      )
      const club = JSON.parse((await ask('only club', '--after', signedUp)).out)
      expect(club.rows).toEqual([[clubIn2025.length]])
      const who = JSON.parse((await ask('who are they?', '--after', signedUp, '--after', 'only club')).out)
      expect(who.rows).toHaveLength(clubIn2025.length)
    })

    it('says what it has nothing for, and what it offers instead is answered', async () => {
      const refused = JSON.parse((await ask('how many blue elephants signed?')).out)
      expect(refused).toMatchObject({ status: 'refused', missing: ['blue', 'elephants'] })
      expect(refused.nearest.length).toBeGreaterThan(1)
      for (const question of refused.nearest.slice(0, 2)) {
        expect(JSON.parse((await ask(question)).out)).toMatchObject({ status: 'answered', question })
      }
    })

    it("uses the words of the team's glossary without a model", async () => {
      const members = JSON.parse((await ask('how many loyalty members are there?')).out)
      const customers = rowsOf(readWarehouse(asOf), 'customers')
      expect(members).toMatchObject({
        status: 'answered',
        rows: [[customers.filter(({ segment }) => segment === 'club').length]],
      })
      const urgent = JSON.parse((await ask('how many urgent tickets are not closed?')).out)
      expect(urgent.status).toBe('answered')
      expect(urgent.sql).toContain('priority = 1')
    })

    it('has a semantic layer without problems, which questions and evaluations use', async () => {
      const place = { folder, home: join(folder, '.querent') }
      const checked = await runCli(['semantic', 'check', '--json'], place)
      expect(JSON.parse(checked.out)).toMatchObject({ problems: [], notes: [] })
      const sold = rowsOf(readWarehouse(asOf), 'orders').filter(({ status }) => status !== 'cancelled')
      const total = sold.reduce((sum, order) => sum + Number(order.total_cents), 0)
      const net = JSON.parse((await ask('what is our net revenue?')).out)
      expect(net).toMatchObject({ status: 'answered', rows: [[total]] })
      const lines = [
        [
          'net',
          'what is our net revenue?',
          "SELECT sum(total_cents) FROM orders WHERE status <> 'cancelled'",
        ],
        [
          'club',
          'how many loyalty members are there?',
          "SELECT count(*) FROM customers WHERE segment = 'club'",
        ],
      ].map(([id, question, gold]) =>
        JSON.stringify({ id, db_id: 'sample-company', question, gold, dialect: 'postgres' }),
      )
      writeFileSync(join(folder, 'questions.jsonl'), `${lines.join('\n')}\n`)
      const evaluated = await runCli(
        ['eval', 'questions', '--questions', 'questions.jsonl', '--as-of', asOf, '--json'],
        place,
      )
      expect(JSON.parse(evaluated.out)).toMatchObject({ questions: 2, ex: 1 })
    })

    it('keeps question, run and answer when told to', async () => {
      const { out } = await ask('how many stores are there?', '--store')
      expect(JSON.parse(out)).toMatchObject({
        status: 'answered',
        rows: [[readWarehouse(asOf).get('stores')?.length]],
      })
      const migrated = await runCli(['migrate', '--json'], { folder, home: join(folder, '.querent') })
      expect(JSON.parse(migrated.out)).toEqual({ migrated: [] })
    })
  })
})
