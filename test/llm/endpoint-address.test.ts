import { expect, it } from 'vitest'
import { readAddress } from '../../src/llm/endpoint-address.ts'

const older = { keyHeader: 'api-key', listsModels: false }

const version = { 'api-version': '2025-04-01-preview' }

it.each([
  [null, 'https://api.openai.com/v1', {}],
  ['https://api.openai.com', 'https://api.openai.com/v1', {}],
  ['https://api.openai.com/v1/', 'https://api.openai.com/v1', {}],
  ['https://api.openai.com/v1/chat/completions', 'https://api.openai.com/v1', {}],
  ['https://api.openai.com/v1/responses', 'https://api.openai.com/v1', {}],
  ['https://api.anthropic.com', 'https://api.anthropic.com/v1', { listsModels: false }],
  ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1', {}],
  // What stands at the root of another server is not guessed.
  ['https://api.deepseek.com', 'https://api.deepseek.com', {}],
  ['http://10.0.0.5:8000/v1', 'http://10.0.0.5:8000/v1', {}],
  ['http://10.0.0.5:8000/v1?team=data', 'http://10.0.0.5:8000/v1', { query: { team: 'data' } }],
  ['http://me:pass@10.0.0.5/v1', 'http://me:pass@10.0.0.5/v1', {}],
  ['https://t.openai.azure.com/', 'https://t.openai.azure.com/openai/v1', { listsModels: false }],
  [
    'https://t.services.ai.azure.com/openai',
    'https://t.services.ai.azure.com/openai/v1',
    { listsModels: false },
  ],
  [
    'https://t.openai.azure.com/openai/responses?api-version=2025-04-01-preview',
    'https://t.openai.azure.com/openai/v1',
    { query: {}, listsModels: false },
  ],
  [
    'https://t.openai.azure.com/openai/deployments/prod/chat/completions?api-version=2025-01-01-preview',
    'https://t.openai.azure.com/openai/deployments/prod',
    { ...older, query: { 'api-version': '2025-01-01-preview' } },
  ],
  [
    'https://t.openai.azure.com/openai/deployments/prod',
    'https://t.openai.azure.com/openai/deployments/prod',
    { ...older, query: version },
  ],
])('%s', (given, baseUrl, rest) => {
  expect(readAddress({ baseUrl: given })).toEqual({
    ...{ baseUrl, query: {}, keyHeader: 'authorization', listsModels: true },
    ...rest,
  })
})
