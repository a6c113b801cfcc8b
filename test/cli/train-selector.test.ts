import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { familyOf, reasonOf } from '../../src/ranking/features/feature-reasons.ts'
import { selectorModelSchema } from '../../src/ranking/selector/selector-model.ts'
import { runCli } from '../helpers/cli/run-cli.ts'

let folder: string

const run = (...args: string[]) => runCli(args, { folder, home: join(folder, 'home') })

const read = (file: string): string => readFileSync(join(folder, file), 'utf8')

const write = (file: string, lines: readonly unknown[]): void =>
  writeFileSync(join(folder, file), lines.map(line => `${JSON.stringify(line)}\n`).join(''))

/** What is asked of every harbor: a right statement in two spellings, and what goes wrong with it. */
const asked = [
  {
    question: 'How many boats are there?',
    right: ['select count(*) from boats', 'select count(id) from boats'],
    wrong: ['select name from boats', 'select count(*) from boats where home_port = "Nowhere"'],
  },
  {
    question: 'What are the names of boats from Kiel?',
    right: [
      "select name from boats where home_port = 'Kiel'",
      "select b.name from boats b where b.home_port = 'Kiel'",
    ],
    wrong: ["select name from boats where home_port = 'kiel port'", 'select name, home_port from boats'],
  },
  {
    question: 'What is the longest boat?',
    right: [
      'select name from boats order by length_m desc limit 1',
      'select name from boats where length_m = (select max(length_m) from boats)',
    ],
    wrong: ['select max(length_m) from boats', 'select name from boats order by length_m limit 1'],
  },
] as const

const harbors = ['north', 'south', 'west']

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  for (const [at, harbour] of [...harbors, 'east'].entries()) {
    const database = new DatabaseSync(join(folder, `${harbour}.sqlite`))
    database.exec(`
      create table boats (id integer primary key, name text, home_port text, length_m real);
      insert into boats values (1, 'Alba ${at}', 'Kiel', ${9 + at}), (2, 'Brisa', 'Kiel', 12.5), (3, 'Cyan', 'Bergen', 7);
    `)
    database.close()
  }
  const lines = (db: string) =>
    asked.map(({ question, right }, at) => ({ id: `${db}-${at}`, db_id: db, question, gold: right[0] }))
  write('dev.jsonl', harbors.flatMap(lines))
  write('train.jsonl', lines('east'))
  write(
    'pools.jsonl',
    harbors.flatMap((db, place) =>
      asked.map(({ right, wrong }, at) => {
        const [one, other] = (place + at) % 2 === 0 ? [right[1], wrong[0]] : [wrong[1], right[1]]
        return {
          id: `${db}-${at}`,
          pools: {
            steady: [right[0], one, other, 'select broken from'].map(sql => ({ sql })),
            wild: [wrong[1], wrong[0], right[0]].map(sql => ({ sql })),
          },
          systems: { plain: { sql: right[1] }, odd: { sql: wrong[0] }, poor: { sql: wrong[1] } },
        }
      }),
    ),
  )
})

afterAll(() => rmSync(folder, { recursive: true }))

const files = ['--pools', 'pools.jsonl', '--questions', 'dev.jsonl,train.jsonl', '--databases', '.']

describe('train selector', { timeout: 240_000 }, () => {
  it('writes a model, its folds and a report, the same for the same files and seed', async () => {
    const { status, out, err } = await run(
      ...['train', 'selector', ...files, '--out', 'one-model.json', '--groups', 'groups.jsonl', '--json'],
      ...['--pool', 'steady+wild', '--pool', 'systems:plain,odd,poor'],
    )
    expect([status, err]).toEqual([0, ''])

    const model = selectorModelSchema.parse(JSON.parse(read('one-model.json')))
    expect(model.version).toBe('shipped')
    expect(model.provenance.databases).toEqual([...harbors].sort())
    expect(model.provenance.trainedOn).toEqual([
      '18 questions with candidates of 2 pools',
      expect.stringContaining('in mixtures'),
      '3 questions of 1 other databases with readings of the semantic parser',
    ])
    expect(model.features.length).toBeGreaterThan(20)
    for (const { name } of model.features) expect([familyOf(name), reasonOf(name)]).not.toContain(null)

    const report = JSON.parse(out)
    const learned: readonly string[] = report.features.map(({ name }: { name: string }) => name)
    expect(model.features.slice(0, learned.length).map(({ name }) => name)).toEqual(learned)
    const folds = JSON.parse(read('one-folds.json'))
    expect(Object.keys(folds)).toEqual([...harbors].sort())
    for (const { weights, calibration } of Object.values<{ weights: number[]; calibration: number[] }>(
      folds,
    )) {
      expect(weights).toHaveLength(learned.length)
      expect(calibration).toHaveLength(model.calibration.length)
    }

    expect(Object.keys(report.pools)).toEqual(['steady+wild', 'systems:plain,odd,poor'])
    const { questions, oracle, selectors, confidence, voteShare, gapClosed } = report.pools['steady+wild']
    expect([questions, oracle.ex]).toEqual([9, 1])
    expect(Object.keys(selectors)).toEqual(['first', 'majority', 'wma', 'rwma', 'evidence', 'learned'])
    expect(selectors.first).toEqual({ ex: 1, exAnyOrder: 1 })
    expect(gapClosed === null).toBe(selectors.majority.ex === 1)
    expect([confidence.riskAt100, voteShare.riskAt100]).toEqual([
      expect.closeTo(1 - selectors.learned.exAnyOrder, 10),
      expect.closeTo(1 - selectors.majority.exAnyOrder, 10),
    ])
    expect(new Set(report.ablation.map(({ family }: { family: string }) => family))).toEqual(
      new Set(learned.map(familyOf)),
    )

    const written = read('one-report.md')
    expect(written).toContain('# The shipped selector')
    expect(written).toContain('## steady+wild (n = 9)')
    expect(written).toContain('## Without a family of features')
    expect(written).not.toMatch(/NaN|undefined|null/)

    const groups = read('groups.jsonl')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(groups).toHaveLength(18)
    expect(groups[0]).toMatchObject({ id: 'north-0', database: 'north', weight: 1 })
    expect(groups[0].right).toHaveLength(1)

    const shown = await run(
      ...['train', 'selector', ...files, '--out', 'two.json', '--no-ablation'],
      ...['--pool', 'steady+wild', '--pool', 'systems:plain,odd,poor'],
    )
    expect(shown.status).toBe(0)
    expect(read('two.json')).toBe(read('one-model.json'))
    expect(read('two-folds.json')).toBe(read('one-folds.json'))
    expect(shown.out).toBe(read('two-report.md'))
    expect(shown.out).toContain('| learned |')
    expect(shown.out).not.toContain('Without a family')
  })

  it.each([
    [
      'a pool that is nowhere',
      ['--pool', 'steady', '--pool', 'steady+nowhere'],
      /--pool steady\+nowhere: .* "nowhere"; of pools there are: steady, wild\./,
    ],
    ['a system that is nowhere', ['--pool', 'systems:plain,nobody'], /"nobody"; .* plain, odd, poor\./],
    ['readings for a pool', ['--pool', 'readings'], /name pools or systems with --pool/],
    ['a pool without a name', ['--pool', 'steady+'], /does not name a pool/],
    ['a seed that is no number', ['--pool', 'steady', '--seed', 'x'], /--seed takes a whole number, not "x"/],
    [
      'folders that do not match the files',
      ['--pool', 'steady', '--databases', 'a,b,c'],
      /names 3 folders for 2 files/,
    ],
    ['a file that is not there', ['--pool', 'steady', '--pools', 'no.jsonl'], /Cannot read .*no\.jsonl/],
  ])('says what is wrong with %s', async (_, given, problem) => {
    const { status, err } = await run('train', 'selector', ...files, '--out', 'bad.json', ...given)
    expect(status).toBe(2)
    expect(err).toMatch(problem)
    expect(err).not.toMatch(/ at .*\.ts:\d/)
  })

  it('wants to know what to train for', async () => {
    const { status, err } = await run('train', 'selector', ...files, '--out', 'bad.json')
    expect(status).toBe(2)
    expect(err).toMatch(/--pool/)
  })
})

describe('eval selection with the learned selector', { timeout: 120_000 }, () => {
  const evaluate = (...args: string[]) =>
    run(
      ...['eval', 'selection', '--pools', 'pools.jsonl', '--questions', 'dev.jsonl', '--databases', '.'],
      ...['--pool', 'steady+wild', '--selector', 'learned,majority', ...args],
    )

  it('writes what was chosen for each question with --out', async () => {
    const { status, out } = await evaluate('--out', 'choices.jsonl', '--json')
    expect(status).toBe(0)
    const { questions, selectors } = JSON.parse(out).pools['steady+wild']
    const choices = read('choices.jsonl')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(choices).toHaveLength(2 * questions)
    const learned = choices.filter(({ selector }) => selector === 'learned')
    expect(learned.filter(({ ex }) => ex).length / questions).toBeCloseTo(selectors.learned.ex, 10)
    expect(learned[0]).toMatchObject({ pool: 'steady+wild', sql: expect.stringMatching(/^select/) })
  })

  it('scores it beside the vote, its confidence too', async () => {
    const { status, out } = await evaluate('--json')
    expect(status).toBe(0)
    const { selectors } = JSON.parse(out).pools['steady+wild']
    expect(Object.keys(selectors)).toEqual(['learned', 'majority'])
    const { ece, eceInterval, brier, riskAt80, riskAt100 } = selectors.learned
    for (const share of [ece, eceInterval.low, eceInterval.high, brier, riskAt80]) {
      expect(share).toBeGreaterThanOrEqual(0)
      expect(share).toBeLessThanOrEqual(1)
    }
    expect(riskAt100).toBeCloseTo(1 - selectors.learned.exAnyOrder, 10)
    expect(selectors.learned).toHaveProperty('brierSkill')
    expect(selectors.majority).toMatchObject({
      ece: null,
      eceInterval: null,
      brierSkill: null,
      riskAt80: null,
    })
  })
})
