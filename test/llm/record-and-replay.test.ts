import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../src/domain/model.ts'
import { type LogFields, silentLog } from '../../src/domain/operations/telemetry.ts'
import { type AskModel, makeAskModel } from '../../src/llm/ask-model.ts'
import { type ModelTasks, makeModelTasks } from '../../src/llm/call-model.ts'
import { recordReplies } from '../../src/llm/record-replies.ts'
import { replayReplies } from '../../src/llm/replay-replies.ts'
import { type Exchange, startModelServer } from './model-server.ts'

let folder: string

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'exchanges-')), 'llm')
})

afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true, force: true })
})

const secret = 'hunter2-of-the-shop'

const keywords = (...phrases: string[]): Exchange => ({
  reply: JSON.stringify({ phrases: phrases.map(phrase => ({ phrase, kind: 'name', spellings: [] })) }),
  usage: [120, 30],
})

const request = (question: string, given: Partial<ModelRequest> = {}): ModelRequest => ({
  role: 'keywords',
  prompt: 'extract-keywords',
  variables: { tables: 'boats(name)', question },
  questionId: 'q1',
  ...given,
})

const phrasesOf = async (ask: AskModel, asked: ModelRequest) =>
  (await ask(asked, ['keywords'])).value.phrases.map(({ phrase }) => phrase)

/** Does the asking while a server plays the script and everything is recorded. */
const recording = async (
  script: readonly Exchange[],
  work: (ask: AskModel) => Promise<unknown>,
  tasks: ModelTasks = makeModelTasks('some-model'),
) => {
  await using server = await startModelServer(script)
  const askModel = makeAskModel({
    connection: server.connection,
    tasks,
    budget: { modelCallsPerQuestion: 10, tokensPerQuestion: 100_000 },
    sleep: async () => {},
  })
  await work(recordReplies(askModel, { folder, tasks, secrets: [secret] }))
}

const replaying = (
  tasks: ModelTasks = makeModelTasks('some-model'),
  secrets: readonly string[] = [secret],
) => {
  const said: { fields: LogFields; message: string }[] = []
  const log = {
    ...silentLog,
    error: (fields: LogFields, message: string) => void said.push({ fields, message }),
  }
  return { ask: replayReplies({ folder, tasks, secrets, log }), said }
}

describe('what was recorded', () => {
  it('is replayed without a network, with its usage', async () => {
    await recording([keywords('Kiel')], ask => ask(request('boats of Kiel'), ['keywords']))
    const { ask, said } = replaying()
    expect(await ask(request('boats of Kiel', { questionId: 'other' }), ['keywords'])).toEqual({
      value: { phrases: [{ phrase: 'Kiel', kind: 'name', spellings: [] }] },
      usage: expect.objectContaining({ modelCalls: 1, promptTokens: 120, completionTokens: 30 }),
    })
    expect(said).toEqual([])
  })

  it('counts equal requests of one question, and starts again with the next', async () => {
    await recording([keywords('first'), keywords('second')], async ask => {
      await ask(request('boats'), ['keywords'])
      await ask(request('boats'), ['keywords'])
    })
    const { ask } = replaying()
    expect(await phrasesOf(ask, request('boats'))).toEqual(['first'])
    expect(await phrasesOf(ask, request('boats', { questionId: 'q2' }))).toEqual(['first'])
    expect(await phrasesOf(ask, request('boats'))).toEqual(['second'])
  })

  it('is replaced by a later recording of the same request', async () => {
    await recording([keywords('old')], ask => ask(request('boats'), ['keywords']))
    await recording([keywords('new')], ask => ask(request('boats'), ['keywords']))
    expect(readdirSync(folder)).toHaveLength(1)
    expect(await phrasesOf(replaying().ask, request('boats'))).toEqual(['new'])
  })

  it('is the reply after its repair, and what both calls cost', async () => {
    await recording([{ reply: 'Kiel, I think' }, keywords('Kiel')], ask =>
      ask(request('boats of Kiel'), ['keywords']),
    )
    const { usage } = await replaying().ask(request('boats of Kiel'), ['keywords'])
    expect(usage).toMatchObject({ modelCalls: 2, promptTokens: 220 })
  })

  it('has no secret in it, and only its owner can read it', async () => {
    const question = `boats of ${secret} with sk-abc1defghijkl2mnopq`
    await recording([keywords(`${secret}!`)], ask => ask(request(question), ['keywords']))
    const [name = ''] = readdirSync(folder)
    const kept = readFileSync(join(folder, name), 'utf8')
    expect(kept).not.toContain(secret)
    expect(kept).not.toContain('sk-abc')
    expect(kept).not.toContain('a-key-nobody-may-see')
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
    expect(await phrasesOf(replaying().ask, request(question))).toEqual(['[redacted]!'])
  })

  it('is not stored if the call failed', async () => {
    await recording([{ status: 401 }], async ask => {
      await expect(ask(request('boats'), ['keywords'])).rejects.toThrow(/did not accept the key/)
    })
    await expect(phrasesOf(replaying().ask, request('boats'))).rejects.toThrow(
      /Nothing of this prompt is recorded/,
    )
  })
})

describe('a request that was not recorded', () => {
  const missing = async (asked: ModelRequest, tasks?: ModelTasks): Promise<string> => {
    const { ask, said } = replaying(tasks)
    const error = await ask(asked, ['keywords']).catch(error => error)
    expect(error).toMatchObject({ name: 'ModelError', code: 'model-failed', usage: { modelCalls: 0 } })
    expect(said.map(({ message }) => message)).toEqual([error.message])
    return error.message
  }

  beforeEach(() =>
    recording([keywords('Kiel'), keywords('Bergen')], async ask => {
      await ask(request('how many boats are there in Kiel?'), ['keywords'])
      await ask(request('who built the boats of Bergen?'), ['keywords'])
    }),
  )

  it('names the most similar one and how it differs', async () => {
    const message = await missing(request('how many boats are there in Bergen?'))
    expect(message).toContain('no reply of the keywords is recorded for extract-keywords by some-model')
    expect(message).toContain('on "how many boats are there in Bergen?"')
    const [, near = ''] = /The nearest is (\S+\.json), other in question\./.exec(message) ?? []
    expect(readFileSync(join(folder, near), 'utf8')).toContain('how many boats are there in Kiel?')
    expect(message).toContain('QUERENT_LLM=record')
  })

  it.each<[string, Partial<ModelRequest>, ModelTasks | undefined]>([
    ['model', {}, makeModelTasks('another-model')],
    [
      'tables',
      { variables: { tables: 'ships(name)', question: 'who built the boats of Bergen?' } },
      undefined,
    ],
  ])('may be other in %s', async (what, given, tasks) => {
    expect(await missing(request('who built the boats of Bergen?', given), tasks)).toContain(
      `other in ${what}.`,
    )
  })

  it('may be asked for once too often', async () => {
    const { ask } = replaying()
    await ask(request('who built the boats of Bergen?'), ['keywords'])
    await expect(ask(request('who built the boats of Bergen?'), ['keywords'])).rejects.toThrow(
      /attempt 2 on .* other in attempt\./,
    )
  })

  it('may be of a prompt that asks for something else now', async () => {
    for (const name of readdirSync(folder)) {
      const kept = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      writeFileSync(join(folder, name), JSON.stringify({ ...kept, reply: { phrases: 'Kiel' } }))
    }
    expect(await missing(request('who built the boats of Bergen?'))).toMatch(/Record it again/)
  })
})

describe('a folder that is no good', () => {
  it('says so when it cannot be written', async () => {
    writeFileSync(folder, 'a file')
    await recording([keywords('Kiel')], async ask => {
      await expect(ask(request('boats'), ['keywords'])).rejects.toMatchObject({
        code: 'bad-configuration',
        message: expect.stringContaining('QUERENT_LLM_FOLDER'),
      })
    })
  })

  it('says which file of it is no recorded reply', async () => {
    await recording([keywords('Kiel')], ask => ask(request('boats'), ['keywords']))
    const [name = ''] = readdirSync(folder)
    writeFileSync(join(folder, name), '{"role":')
    await expect(replaying().ask(request('boats'), ['keywords'])).rejects.toThrow(
      `${name} is no recorded reply`,
    )
  })
})
