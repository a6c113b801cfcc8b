import { describe, expect, it } from 'vitest'
import type { ModelCapabilities } from '../../src/domain/operations/model-capabilities.ts'
import { knownCapabilities } from '../../src/llm/known-models.ts'

const at = (model: string, baseUrl: string | null = 'http://10.0.0.5:8000/v1', provider = 'openai') =>
  knownCapabilities({ provider, model, baseUrl, apiKey: null })

const unknown = at('somebody-s-model')

const openAiReasoning = { temperature: false, tokenLimit: 'max_completion_tokens', reasoning: true } as const

it('an unknown model is asked in the oldest form, with a schema', () => {
  expect(unknown).toEqual({
    ...{ api: 'chat', temperature: true, tokenLimit: 'max_tokens', needsLimit: false },
    ...{ reasoning: false, effort: true },
    ...{ format: 'json_schema', parallel: 8, cacheControl: false },
  })
})

const known: readonly [string, Partial<ModelCapabilities>][] = [
  ['gpt-5-mini', openAiReasoning],
  ['gpt-5-2025-08-07', openAiReasoning],
  ['gpt-5.1-codex-max', openAiReasoning],
  ['openai/gpt-5.4-nano', openAiReasoning],
  ['azure/gpt-5.6-sol', openAiReasoning],
  ['o3', openAiReasoning],
  ['o4-mini-2025-04-16', openAiReasoning],
  ['gpt-5-chat-latest', { temperature: true, reasoning: false, effort: false }],
  ['gpt-4.1-nano-2025-04-14', { temperature: true, tokenLimit: 'max_tokens', effort: false }],
  ['gpt-4o-mini', { reasoning: false, format: 'json_schema' }],
  ['gpt-4-turbo', { format: 'json_object' }],
  ['gpt-4-0613', { format: 'none' }],
  ['gpt-oss:20b', { reasoning: true, temperature: true }],
  ['claude-opus-4-7', { temperature: false, reasoning: false }],
  ['claude-opus-5', { temperature: false }],
  ['claude-sonnet-5', { temperature: false }],
  ['claude-sonnet-4-5-20250929', { temperature: true }],
  ['anthropic/claude-opus-4.8', { temperature: false }],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', { temperature: true }],
  ['models/gemini-2.5-flash', { reasoning: true, temperature: true }],
  ['google/gemini-3-pro-preview', { reasoning: true }],
  ['gemini-2.0-flash', { reasoning: false, effort: false }],
  ['deepseek-r1:14b', { reasoning: true }],
  ['deepseek-ai/DeepSeek-V3.1', { reasoning: false }],
  ['Qwen/Qwen2.5-Coder-32B-Instruct', { reasoning: false, effort: false }],
  ['Qwen/Qwen3-30B-A3B-Thinking-2507', { reasoning: true }],
  ['qwen3:14b', { reasoning: true }],
  ['Qwen/Qwen3-Coder-30B-A3B-Instruct', { reasoning: false }],
  ['meta-llama/Llama-3.3-70B-Instruct', { reasoning: false, effort: false }],
  ['llama3.1:8b', { effort: false }],
  ['mistral-large-latest', { reasoning: false, effort: false }],
  ['magistral-small-2509', { reasoning: true }],
]

it.each(known)('%s', (model, facts) => {
  expect(at(model)).toMatchObject(facts)
})

describe('a name that only looks like a known one', () => {
  it.each([
    'our-codex-7b',
    'codex',
    'gpt-5-distilled-7b',
    'my-gpt-5-mini',
    'o3-sql-finetune',
    'claude',
    'not-claude-opus-5',
    'sqlcoder-o1-style',
  ])('says nothing: %s', model => {
    expect(at(model)).toEqual(unknown)
  })
})

describe('the Responses API', () => {
  it.each([
    ['gpt-5-pro', null],
    ['gpt-5.1-codex-mini', 'https://api.openai.com/v1'],
    ['o3-deep-research', 'https://api.openai.com/v1'],
    ['gpt-5-codex', 'https://team.openai.azure.com/openai/v1'],
  ])('is known of %s at %s', (model, baseUrl) => {
    expect(at(model, baseUrl).api).toBe('responses')
  })

  it.each([
    ['gpt-5-codex', 'http://127.0.0.1:11434/v1'],
    ['gpt-5-codex', 'https://llm.example.com/v1'],
    ['gpt-5-mini', null],
    ['our-codex', 'https://api.openai.com/v1'],
  ])('is not assumed of %s at %s', (model, baseUrl) => {
    expect(at(model, baseUrl).api).toBe('chat')
  })
})

describe('a place', () => {
  it('takes marks for the prompt cache where that is documented', () => {
    expect(at('anthropic/claude-sonnet-4-5', 'https://openrouter.ai/api/v1').cacheControl).toBe(true)
    expect(at('openai/gpt-5-mini', 'https://openrouter.ai/api/v1').cacheControl).toBe(false)
    expect(at('claude-sonnet-4-5', null, 'anthropic').cacheControl).toBe(true)
    expect(at('claude-sonnet-4-5', 'https://llm.example.com/v1').cacheControl).toBe(false)
  })

  it('says what it takes of a reply', () => {
    expect(at('deepseek-chat', 'https://api.deepseek.com').format).toBe('json_object')
    expect(at('claude-sonnet-4-5', 'https://api.anthropic.com/v1').format).toBe('none')
    expect(at('gemini-2.5-pro', null, 'google-genai')).toMatchObject({ format: 'none', effort: false })
  })

  it('that answers one by one is not sent many requests', () => {
    expect(at('llama3.1:8b', 'http://127.0.0.1:11434/v1').parallel).toBe(2)
  })
})
