import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/cli/run-cli.ts'
import { keys, typeCli } from '../helpers/cli/type-cli.ts'
import { shopTables } from '../semantic-layer/shop.ts'

let folder: string

const run = (...args: string[]) =>
  runCli(args, { folder, home: join(folder, 'home'), env: { QUERENT_CONFIG: join(folder, 'querent.yml') } })

const json = async (...args: string[]) => {
  const { out, ...rest } = await run(...args, '--json')
  return { ...rest, value: JSON.parse(out) }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  const database = new DatabaseSync(join(folder, 'shop.sqlite'))
  database.exec(shopTables)
  database.close()
  writeFileSync(
    join(folder, 'querent.yml'),
    'defaultDatabase: shop\ndatabases:\n  shop:\n    path: shop.sqlite\n',
  )
  mkdirSync(join(folder, 'semantic'))
})

afterEach(() => rmSync(folder, { recursive: true }))

const write = (text: string): void => writeFileSync(join(folder, 'semantic/shop.yml'), text)

const turnover =
  'semantic_models: [{ name: order, metrics: [{ name: takings, agg: sum, expr: total_cents, filter: "status = \'paid\'", synonyms: [revenue] }] }]'

describe('semantic', { timeout: 90_000 }, () => {
  it('check lists every problem with its line and fails, and index does too', async () => {
    write(
      'semantic_models:\n  - name: order\n    metrics:\n      - { name: a, agg: sum, expr: totl_cents }\n',
    )
    const checked = await run('semantic', 'check')
    expect(checked.status).toBe(1)
    expect(checked.out).toBe(
      'semantic/shop.yml:4: the table orders has no column totl_cents; did you mean total_cents?\n' +
        '1 problem. What they are about is left out; the rest works.\n',
    )
    const indexed = await run('index')
    expect(indexed.status).toBe(1)
    expect(indexed.out).toContain('To correct in the semantic layer')
    expect(indexed.out).toContain('semantic/shop.yml:4: the table orders has no column totl_cents')
    write(turnover)
    expect((await run('semantic', 'check')).out).toMatch(
      /^Semantic layer: 1 metric and 0 segments accepted, \d+ and \d+ proposed\. No problems\.\n$/,
    )
    expect((await run('index')).out).toMatch(
      /Semantic layer: 1 metric and 0 segments accepted, \d+ and \d+ proposed/,
    )
  })

  it('list says what everything means, and who says so', async () => {
    write(turnover)
    const { value } = await json('semantic', 'list')
    expect(value.metrics[0]).toEqual({
      name: 'takings',
      label: 'Takings',
      synonyms: ['revenue'],
      status: 'accepted',
      meaning: 'sum of total of orders where status is paid, in an amount (stored times 0.01)',
    })
    const proposed = (await json('semantic', 'list', '--proposed')).value
    expect(proposed.metrics.length).toBe(value.metrics.length - 1)
    expect(proposed.models.map(({ name }: { name: string }) => name)).not.toContain('order')
    expect((await run('semantic', 'list')).out).toContain('Metrics')
  })

  it('is used for answers', async () => {
    write(turnover)
    const { value } = await json('ask', 'what is our revenue?')
    expect(value).toMatchObject({ status: 'answered', rows: [[26000]] })
  })

  it('review asks about each proposal, and writes every decision at once', async () => {
    write('exclude: [audit_log, order_lines, products] # nobody asks about these\n')
    const { status } = await typeCli(
      ['semantic', 'review'],
      { folder, home: join(folder, 'home'), env: { QUERENT_CONFIG: join(folder, 'querent.yml') } },
      [
        [/model “Customer”[\s\S]*\? What do you want/, keys.enter],
        [/model “Order”[\s\S]*\? What do you want/, `${keys.down}${keys.enter}`],
        [/\? Label/, ` sold${keys.enter}`],
        [/\? Other words/, `purchase, Deal${keys.enter}`],
        [/metric “[\s\S]*\? What do you want/, `${keys.down}${keys.down}${keys.enter}`],
        [
          /metric “[\s\S]*\? What do you want/,
          `${keys.down}${keys.down}${keys.down}${keys.down}${keys.enter}`,
        ],
      ],
    )
    expect(status).toBe(0)
    const text = readFileSync(join(folder, 'semantic/shop.yml'), 'utf8')
    expect(text).toMatch(/^exclude: \[ audit_log, order_lines, products \] # nobody asks about these\n/)
    expect(text).toContain('  - name: customer\n    table: customers\n    label: Customer\n')
    expect(text).toContain('    synonyms: [ purchase, deal ]')
    expect(text).toMatch(/rejected: \[ \w+ \]\n$/)
  })

  it('review writes what is accepted; then nothing is proposed', async () => {
    const refused = await run('semantic', 'review')
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('--accept-all')])
    expect(existsSync(join(folder, 'semantic/shop.yml'))).toBe(false)
    const { value, status } = await json('semantic', 'review', '--accept-all')
    expect(status).toBe(0)
    expect(value).toMatchObject({ file: join(folder, 'semantic/shop.yml'), rejected: 0, skipped: 0 })
    expect(readFileSync(join(folder, 'semantic/shop.yml'), 'utf8')).toMatch(
      /^database: shop\nsemantic_models:\n {2}- name: /,
    )
    expect((await run('semantic', 'check')).status).toBe(0)
    expect((await run('semantic', 'list', '--proposed')).out).toBe(
      'Nothing is proposed. Everything has been decided.\n',
    )
    expect((await json('semantic', 'review', '--accept-all')).value).toMatchObject({ accepted: 0 })
  })
})

/** A dbt project over two of the shop's tables, as `dbt parse` describes it. Names are in capitals, as Snowflake has them. */
const manifest = (label: string) =>
  JSON.stringify({
    semantic_models: [
      {
        name: 'customers',
        node_relation: { alias: 'CUSTOMERS', schema_name: 'PROD' },
        entities: [{ name: 'customer', type: 'primary', expr: 'ID' }],
        dimensions: [
          { name: 'full_name', type: 'categorical', expr: 'NAME' },
          { name: 'segment', type: 'categorical' },
          { name: 'joined', type: 'time', expr: 'SIGNED_UP_ON', type_params: { time_granularity: 'day' } },
        ],
        measures: [],
      },
      {
        name: 'orders',
        node_relation: { alias: 'orders', schema_name: 'PROD' },
        defaults: { agg_time_dimension: 'placed_at' },
        entities: [
          { name: 'order', type: 'primary', expr: 'id' },
          { name: 'customer', type: 'foreign', expr: 'customer_id' },
        ],
        dimensions: [
          { name: 'placed_at', type: 'time', type_params: { time_granularity: 'second' } },
          { name: 'is_large', type: 'categorical', expr: 'total_cents > 10000' },
        ],
        measures: [
          { name: 'charged', agg: 'sum', expr: 'TOTAL_CENTS' },
          { name: 'taxed', agg: 'sum', expr: 'tax_cents' },
        ],
      },
    ],
    metrics: [
      { name: 'takings', label, type: 'simple', type_params: { measure: { name: 'charged' } } },
      {
        name: 'club_takings',
        type: 'simple',
        filter: { where_filters: [{ where_sql_template: "{{ Dimension('customer__segment') }} = 'club'" }] },
        type_params: { measure: { name: 'charged' } },
      },
      {
        name: 'club_share',
        type: 'ratio',
        type_params: { numerator: { name: 'club_takings' }, denominator: { name: 'takings' } },
      },
      { name: 'tax', type: 'simple', type_params: { measure: { name: 'taxed' } } },
      {
        name: 'won',
        type: 'conversion',
        type_params: { conversion_type_params: { entity: 'customer' } },
      },
    ],
    saved_queries: [{ name: 'weekly' }],
  })

describe('semantic import', { timeout: 90_000 }, () => {
  const imported = () => readFileSync(join(folder, 'semantic/shop-dbt.yml'), 'utf8')
  const project = (label = 'Store takings'): void => {
    mkdirSync(join(folder, 'dbt/target'), { recursive: true })
    writeFileSync(join(folder, 'dbt/target/semantic_manifest.json'), manifest(label))
  }

  it('writes a file in the spelling of the database, and lists what is left and why', async () => {
    project()
    const { out, status } = await run('semantic', 'import', 'dbt', 'dbt')
    expect(out).toMatch(
      /^Translated 16 of 18 items of the dbt files\.\nThe layer has 2 models, 4 metrics and 0 seg/,
    )
    expect(out).toMatch(/Not translated:\n {2}metric won: .*\n {2}saved query weekly: .*\n\n/)
    expect(out).toMatch(/semantic\/shop-dbt\.yml:\d+: the table orders has no column tax_cents/)
    expect(out).toMatch(/\nWritten to .*semantic\/shop-dbt\.yml\.\n$/)
    expect(status).toBe(1)
    expect(imported()).toContain('database: shop\n')
    expect(imported()).toContain('    table: customers\n')
    expect(imported()).toContain('{ name: full_name, expr: name }')
    expect(imported()).toContain('{ name: takings, label: Store takings, agg: sum, expr: total_cents }')
    expect((await run('semantic', 'check')).out).toMatch(/no column tax_cents; .*\n1 problem\./)
    const answered = await json('ask', 'store takings by segment')
    expect(answered.value).toMatchObject({
      status: 'answered',
      rows: [
        ['club', 23000],
        ['consumer', 6000],
      ],
    })
    expect((await json('ask', 'what are our club takings?')).value).toMatchObject({ rows: [[23000]] })
  })

  it('shows what a second import changes, and overwrites only with --force', async () => {
    project()
    await run('semantic', 'import', 'dbt', 'dbt')
    const first = imported()
    expect((await run('semantic', 'import', 'dbt', 'dbt')).out).toMatch(
      /shop-dbt\.yml says the same already\.\n$/,
    )
    project('Till takings')
    const refused = await run('semantic', 'import', 'dbt', 'dbt/target/semantic_manifest.json')
    expect(refused.out).toMatch(/\n {2}- .*label: Store takings.*\n {2}\+ .*label: Till takings.*\n/)
    expect(refused.out).toMatch(/Not written, .* Add --force to overwrite it/)
    expect([refused.status, imported()]).toEqual([1, first])
    const { value } = await json('semantic', 'import', 'dbt', 'dbt', '--force')
    expect(value).toMatchObject({
      status: 'changed',
      written: true,
      file: join(folder, 'semantic/shop-dbt.yml'),
    })
    expect(value.skipped.map(({ name }: { name: string }) => name)).toEqual(['won', 'weekly'])
    expect(imported()).toBe(first.replace('Store takings', 'Till takings'))
  })

  it('says what to pass instead of a wrong format or path', async () => {
    const wrong = await run('semantic', 'import', 'lookmll', '.')
    expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining('“lookmll”; did you mean lookml?')])
    const nothing = await run('semantic', 'import', 'dbt', 'nowhere', 'semantic')
    expect(nothing.status).toBe(2)
    expect(nothing.err).toMatch(/There is no file or folder .*nowhere\. Run `dbt parse`, then pass/)
    expect(nothing.err).toMatch(/semantic has no files of this format\. Run `dbt parse`/)
    writeFileSync(join(folder, 'broken.json'), '{')
    const broken = await run('semantic', 'import', 'dbt', 'broken.json')
    expect([broken.status, broken.err]).toEqual([2, expect.stringMatching(/broken\.json: is not JSON/)])
    expect(readdirSync(join(folder, 'semantic'))).toEqual([])
  })

  it('takes what was exported, without proposals that nobody accepted', async () => {
    write(
      `${turnover.slice(0, -1)}, { name: customer, dimensions: [{ name: segment, synonyms: [tier] }] }]\n` +
        'segments: [{ name: club_member, model: customer, where: "segment = \'club\'" }]\n' +
        'metrics: [{ name: week_of_takings, type: cumulative, metric: takings, window: 7 days }]\n',
    )
    const exported = await run('semantic', 'export', 'ossie', '--out', 'shop.ossie.yml')
    expect(exported.status).toBe(0)
    expect(exported.out).toMatch(/Wrote 5 models and \d+ metrics to .*shop\.ossie\.yml\./)
    expect(exported.out).toContain('metric week_of_takings: Ossie has no totals that run over time.')
    expect(exported.out).toContain('segment club_member: Ossie has no named filters.')
    const before = (await json('semantic', 'list')).value
    rmSync(join(folder, 'semantic/shop.yml'))
    const { value } = await json('semantic', 'import', 'ossie', 'shop.ossie.yml')
    expect(value.problems).toEqual([])
    const proposed = before.metrics.filter(({ status }: { status: string }) => status === 'proposed')
    expect(value.skipped.filter(({ kind }: { kind: string }) => kind === 'metric')).toHaveLength(
      proposed.length,
    )
    const after = (await json('semantic', 'list')).value
    for (const kind of ['metrics', 'segments'] as const) {
      const byName = (items: { name: string }[]) => items.toSorted((a, b) => a.name.localeCompare(b.name))
      expect(byName(after[kind])).toEqual(byName(before[kind]))
    }
    expect((await run('semantic', 'export', 'ossie')).out).toMatch(/^version: .*\nsemantic_model:\n/)
    expect((await run('semantic', 'export', 'dbt')).err).toContain('The format must be ossie, not “dbt”')
  })
})
