import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { makeAnswering } from '../../../../src/bootstrap/answering/answering.ts'
import { makeResources } from '../../../../src/bootstrap/resources.ts'
import { teachExpertsFrom } from '../../../../src/bootstrap/weigh-feedback.ts'
import { loadConfig } from '../../../../src/config/load-config.ts'
import { silentLog } from '../../../../src/domain/operations/telemetry.ts'
import { choirSchema } from '../../../helpers/scripted-agents/ask-with-strategy.ts'
import { startScriptedAgents } from '../../../helpers/scripted-agents/start-scripted-agents.ts'
import { makeSqliteFile } from '../../../helpers/sqlite-file.ts'
import { createTestDatabase } from '../../../helpers/test-database.ts'

const asked = 'How many singers sing alto?'
const right = "SELECT count(*) FROM singers WHERE voice = 'alto'"
const wrong = 'SELECT count(*) FROM singers'

/** Two of three experts are always wrong. */
const exchanges = Object.entries({ a: wrong, b: right, c: wrong }).map(([model, sql]) => ({
  ...{ prompt: 'ssev/write-sql', model, together: 'experts' },
  reply: { plan: '', sql, missing: '', assumptions: [] },
}))

it('what people do about answers decides which experts are believed', async () => {
  await using own = await createTestDatabase()
  const data = makeSqliteFile(choirSchema)
  const folder = mkdtempSync(join(tmpdir(), 'querent-experts-'))
  await using model = await startScriptedAgents([...exchanges, ...exchanges, ...exchanges])
  const settings = {
    timeZone: 'UTC',
    models: { drafter: { model: 'a' } },
    strategy: 'ssev',
    answer: { costOfAsking: 1 },
    strategies: { ssev: { experts: ['a', 'b', 'c'], linking: 'none', expectedQuestions: 1 } },
  }
  writeFileSync(join(folder, 'querent.yml'), stringify(settings))
  const config = loadConfig({ env: { OPENAI_BASE_URL: model.baseUrl, DATABASE_URL: own.url }, cwd: folder })
  const resources = makeResources(config, { log: silentLog, asOf: '2026-11-20' })
  try {
    const answering = await makeAnswering(resources, { model: null, kept: 'in-store' })
    const { repositories, expertRecords } = (await resources.ownStore()).store
    const teach = teachExpertsFrom((await resources.ownStore()).store, config, silentLog)
    const ask = async () => {
      const id = randomUUID()
      const question = {
        ...{ id, key: id, text: asked, database: `sqlite:${data.file}`, timeZone: 'UTC', askedBy: null },
        askedAt: new Date('2026-11-20T12:00:00Z'),
      }
      await answering.keepQuestion(question)
      const { outcome } = await answering.answer(question)
      return outcome.status === 'answered' ? { id, ...outcome } : null
    }
    const complain = async (id: string) => {
      const answer = (await repositories.answers.find(id))!
      const { runId, candidateId } = answer
      await repositories.votes.upsert({ questionId: id, person: 'U1', vote: 'down', runId, candidateId })
      await teach(id)
    }

    const first = await ask()
    expect(first?.sql).toBe(wrong)
    expect(first?.confidence).toBeCloseTo(2 / 3, 6)
    await complain(first!.id)
    expect([...(await expertRecords.listMistakes())]).toEqual([
      ['a', 1],
      ['c', 1],
    ])
    // Each of the two weighs half as much now, which is a draw; the earliest expert keeps it.
    const second = await ask()
    expect(second?.sql).toBe(wrong)
    expect(second?.confidence).toBeCloseTo(0.5, 6)
    await complain(second!.id)
    const third = await ask()
    expect(third?.sql).toBe(right)
    expect(third?.confidence).toBeCloseTo(2 / 3, 6)
    expect(model.problems()).toEqual([])
  } finally {
    await resources.release()
    rmSync(folder, { recursive: true, force: true })
    data.remove()
  }
})
