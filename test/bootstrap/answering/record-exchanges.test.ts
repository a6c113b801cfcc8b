import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeModels } from '../../../src/bootstrap/answering/models.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import { makeMemoryModelLedger } from '../../../src/store/in-memory.ts'
import { makeFolder } from '../../config/make-folder.ts'
import { startModelServer } from '../../llm/model-server.ts'

const yaml = 'models: {drafter: {model: some-model}}'

const reply = JSON.stringify({ phrases: [{ phrase: 'Kiel', kind: 'place', spellings: [] }] })

/** The keywords of a question, asked as a command with this environment would. */
const keywordsIn = async (cwd: string, env: Record<string, string>, question: string) => {
  const accounting = { ledger: makeMemoryModelLedger(), askedBy: async () => null }
  const models = await makeModels(loadConfig({ env, cwd }), null, { accounting, log: silentLog })
  const { value } = await models!.askForKeywords({ question, tables: 'boats(name)', questionId: 'q1' })
  return value.map(({ text }) => text)
}

describe('QUERENT_LLM', () => {
  it('records below the home by default, and replays from there without a key or an endpoint', async () => {
    const cwd = makeFolder({ 'querent.yml': yaml })
    {
      await using server = await startModelServer([{ reply }])
      const { apiKey, baseUrl } = server.connection
      const env = { QUERENT_LLM: 'record', OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl }
      expect(await keywordsIn(cwd, env, 'boats of Kiel')).toEqual(['Kiel'])
    }
    expect(readdirSync(join(cwd, '.querent/llm'))).toHaveLength(1)
    expect(await keywordsIn(cwd, { QUERENT_LLM: 'replay' }, 'boats of Kiel')).toEqual(['Kiel'])
    await expect(keywordsIn(cwd, { QUERENT_LLM: 'replay' }, 'boats of Bergen')).rejects.toThrow(
      /other in question/,
    )
  })

  it('keeps them where QUERENT_LLM_FOLDER says, and nothing without either', async () => {
    const cwd = makeFolder({ 'querent.yml': yaml })
    await using server = await startModelServer([{ reply }, { reply }])
    const env = { OPENAI_BASE_URL: server.connection.baseUrl }
    await keywordsIn(cwd, env, 'boats of Kiel')
    expect(readdirSync(cwd)).toEqual(['querent.yml'])
    await keywordsIn(cwd, { ...env, QUERENT_LLM: 'record', QUERENT_LLM_FOLDER: 'kept' }, 'boats of Kiel')
    expect(readdirSync(join(cwd, 'kept'))).toHaveLength(1)
  })
})
