import { makeModels } from '../../../src/bootstrap/answering/models.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import type { ModelRequest } from '../../../src/domain/model.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import { makeMemoryModelLedger } from '../../../src/store/in-memory.ts'
import { makeFolder } from '../../config/make-folder.ts'
import { rightKey } from './start-endpoint.ts'

const variables = [
  'dialect',
  'evidence',
  'thread',
  'first-result',
  'first-statement',
  'question',
  'schema',
  'second-result',
  'second-statement',
  'time',
  'values',
]

const request: ModelRequest = {
  role: 'judge',
  prompt: 'judge-pair',
  variables: Object.fromEntries(variables.map(name => [name, 'none'])),
}

/** What a person sets. `more` is further YAML under `models`, `rest` further YAML of the file. */
export interface Setup {
  readonly model: string
  readonly address: string
  readonly key?: string | null
  /** No limit is set if null. */
  readonly maxTokens?: number | null
  readonly more?: readonly string[]
  readonly rest?: readonly string[]
}

/** The models of a configuration with a name, an address and a key, and a way to ask one with one prompt. */
export const openModels = async ({
  model,
  address,
  key = rightKey,
  maxTokens = 2000,
  more = [],
  rest = [],
}: Setup) => {
  const yaml = [
    'models:',
    `  drafter: { model: '${model}', maxTokens: ${maxTokens ?? 'none'} }`,
    ...more.map(line => `  ${line}`),
    ...rest,
  ]
  const config = loadConfig({
    cwd: makeFolder({ 'querent.yml': `${yaml.join('\n')}\n` }),
    env: { OPENAI_BASE_URL: address, ...(key === null ? {} : { OPENAI_API_KEY: key }) },
  })
  const accounting = { ledger: makeMemoryModelLedger(), askedBy: async () => null }
  const models = await makeModels(config, null, { accounting, log: silentLog })
  if (models === null) throw new Error('no model is configured')
  return {
    models,
    /** Asks as the judge of one question, or of none. */
    ask: (questionId?: string) =>
      models.askForJudgement({ ...request, ...(questionId === undefined ? {} : { questionId }) }),
  }
}
