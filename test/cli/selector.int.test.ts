import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SelectorVersion } from '../../src/domain/selection/ranking.ts'
import type { SelectorModel } from '../../src/ranking/selector/selector-model.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'
import { storeAnswered } from '../store/setup/store-answered.ts'

let folder: string

let opened: Awaited<ReturnType<typeof openTestStore>>

const run = (...args: string[]) =>
  runCli(args, { folder, home: join(folder, 'home'), env: { DATABASE_URL: opened.url } })

const runJson = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out)

const model: SelectorModel = {
  version: 'night 1',
  provenance: { databases: [], trainedOn: [], method: '', date: '' },
  features: [{ name: 'share', scale: 1, weight: 2 }],
  calibration: [0],
}

const version = (name: string, state: SelectorVersion['state'], given: unknown = model): SelectorVersion => ({
  version: name,
  state,
  model: given,
  report: {
    against: 'shipped',
    verdict: state === 'rejected' ? 'worse-on-benchmark' : 'promoted',
    trainedOn: { questions: 90, voters: 7, weight: 55.5 },
    heldOut: { questions: 30, champion: 0.7, challenger: 0.6, gain: 0.1, standardError: 0.04 },
    benchmark: { questions: 40, champion: 31, challenger: 32 },
  },
  trainedAt: new Date('2026-06-03T03:00:00Z'),
  decidedBy: null,
  decidedAt: new Date('2026-06-03T03:00:00Z'),
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  opened = await openTestStore()
})

afterAll(async () => {
  await opened?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

describe('selector', { timeout: 120_000 }, () => {
  it('says that the shipped one is in use, and what has been trained since', async () => {
    expect(await runJson('selector', 'list')).toEqual({ inUse: 'shipped', versions: [], experts: [] })
    expect((await run('selector', 'list')).out).toContain('No selector has been trained')
    const { selectorVersions, expertWeights } = opened.store.repositories
    await selectorVersions.insert(version('night-1', 'champion'))
    await selectorVersions.insert(version('night-2', 'rejected'))
    await selectorVersions.insert(version('night-3', 'rejected', { from: 'the future' }))
    await opened.store.inTransaction(tx =>
      expertWeights.replace([{ expert: 'semantic-parser', weight: 0.75, mistakes: 3, rounds: 40 }], tx),
    )
    const { out } = await run('selector', 'list')
    expect(out).toMatch(/In use: night-1\. `selector rollback shipped` goes back/)
    expect(out).toMatch(/night-2 .*rejected.*0\.100 ± 0\.040.*32 \/ 31 of 40.*7 people/)
    expect(out).toMatch(/semantic-parser.*0\.750.*3.*40/)
  })

  it('puts one in use, and goes back', async () => {
    expect(await runJson('selector', 'promote', 'night-2')).toEqual({
      status: 'in-use',
      version: 'night-2',
      before: 'night-1',
    })
    const back = await run('selector', 'rollback', 'night-1')
    expect(back).toMatchObject({ status: 0, out: expect.stringContaining('instead of night-2') })
    const { versions, inUse } = await runJson('selector', 'list')
    expect(inUse).toBe('night-1')
    expect(versions).toContainEqual(
      expect.objectContaining({ version: 'night-2', state: 'rejected', decidedBy: expect.any(String) }),
    )
    expect(await runJson('selector', 'rollback', 'shipped')).toMatchObject({ before: 'night-1' })
  })

  it('refuses what there is not, what was never in use, and what it cannot read', async () => {
    const unknown = await run('selector', 'promote', 'night-9')
    expect(unknown).toMatchObject({ status: 2, err: expect.stringContaining('no selector night-9') })
    const rejected = await run('selector', 'rollback', 'night-2')
    expect(rejected).toMatchObject({ status: 2, err: expect.stringContaining('selector promote night-2') })
    expect((await run('selector', 'promote', 'night-3')).status).toBe(2)
  })
})

describe('feedback export', { timeout: 120_000 }, () => {
  it('says that there is nothing yet', async () => {
    const nothing = await run('feedback', 'export')
    expect(nothing).toMatchObject({ status: 0, out: '', err: expect.stringContaining('nothing to export') })
  })

  it('writes pairs and preferences as JSON lines', async () => {
    const questionId = await storeAnswered(
      opened.store,
      {
        version: 'shipped',
        groups: ['a', 'b'].map(key => ({ key, candidateIds: [key], representativeId: key, measures: {} })),
      },
      'how many bikes?',
    )
    await opened.store.repositories.feedback.upsert({
      questionId,
      person: 'U7',
      kind: 'alternative',
      answerKey: 'a',
      groupKey: 'b',
      reason: null,
      note: null,
      sql: null,
      givenAt: new Date(),
    })
    const { out } = await run('feedback', 'export')
    expect(
      out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual([
      {
        questionId,
        database: 'warehouse',
        question: 'how many bikes?',
        better: { key: 'b', sql: 'select 2', measures: {} },
        worse: { key: 'a', sql: 'select 1', measures: {} },
        // The word of somebody of whom little is known.
        weight: expect.closeTo(0.37, 2),
        slip: 0.2,
        isNamed: true,
      },
    ])
    const told = await runJson('feedback', 'export', '--format', 'openai', '--out', 'lessons.jsonl')
    expect(told).toEqual({ file: join(folder, 'lessons.jsonl'), format: 'openai', lines: 2, pairs: 1 })
    const [first, second] = readFileSync(told.file, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(first.preferred_output).toEqual([{ role: 'assistant', content: '{"winner":"first"}' }])
    expect(second.preferred_output).toEqual([{ role: 'assistant', content: '{"winner":"second"}' }])
    expect((await run('feedback', 'export', '--format', 'csv')).status).toBe(2)
  })

  it('writes what a judge is told about pairs that people judged', async () => {
    const unopened = await run('feedback', 'export', '--format', 'judge')
    expect(unopened).toMatchObject({ status: 0, out: '', err: expect.stringContaining('warehouse') })
    const database = new DatabaseSync(join(folder, 'bikes.sqlite'))
    database.exec('create table bikes (id integer primary key, name text)')
    database.close()
    writeFileSync(join(folder, 'querent.yml'), 'databases:\n  warehouse:\n    path: bikes.sqlite\n')
    const told = await runJson('feedback', 'export', '--format', 'judge', '--out', 'judge.jsonl')
    expect(told).toMatchObject({ format: 'judge', lines: 2, pairs: 1 })
    const lines = readFileSync(told.file, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.map(({ completion }) => JSON.parse(completion).winner)).toEqual(['first', 'second'])
    expect(lines[0]).toMatchObject({ database: 'warehouse', source: 'votes' })
    const [, user] = lines[0].messages
    expect(user.content).toContain('<first-statement>\nselect 2\n</first-statement>')
    expect(user.content).toContain('<second-statement>\nselect 1\n</second-statement>')
    expect(user.content).toContain('It ran; its rows are no longer kept.')
    expect(JSON.stringify(lines)).not.toContain('U7')
  })
})
