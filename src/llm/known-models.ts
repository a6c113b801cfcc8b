import type { ModelCapabilities } from '../domain/operations/model-capabilities.ts'
import type { ModelEndpoint } from './call-model.ts'
import { hostOf } from './endpoint-address.ts'

type Facts = Partial<ModelCapabilities>

/** What is assumed of a model that is not in the table below: the oldest form, which most servers take. */
const unknownModel: ModelCapabilities = {
  api: 'chat',
  temperature: true,
  tokenLimit: 'max_tokens',
  needsLimit: false,
  reasoning: false,
  effort: true,
  format: 'json_schema',
  parallel: 8,
  cacheControl: false,
}

const openAiReasoning: Facts = {
  temperature: false,
  tokenLimit: 'max_completion_tokens',
  reasoning: true,
}

const withoutEffort: Facts = { effort: false }

const reasons: Facts = { reasoning: true }

/**
 * Families of models by their names, from the public documentation of their makers. A name counts from its first letter,
 * and one of OpenAI's only as a whole: a local `my-codex-7b` or `gpt-5-distilled` may be anything. The first match counts.
 */
const families: readonly { readonly names: RegExp; readonly facts: Facts }[] = [
  // OpenAI. The chat variants of GPT-5 and later do not reason.
  {
    names: /^(chatgpt-4o|gpt-[56](\.\d+)?-chat)$/,
    facts: { tokenLimit: 'max_completion_tokens', effort: false },
  },
  {
    names: /^gpt-[56](\.\d+)?(-(mini|nano|pro|codex(-mini|-max)?|sol|terra|luna))?$/,
    facts: openAiReasoning,
  },
  { names: /^(o[134](-mini|-pro)?|o[34](-mini)?-deep-research|codex-mini)$/, facts: openAiReasoning },
  { names: /^gpt-4(\.\d|o)(-mini|-nano)?$/, facts: withoutEffort },
  { names: /^gpt-(4-turbo|3\.5-turbo)$/, facts: { effort: false, format: 'json_object' } },
  { names: /^gpt-4(-0613)?$/, facts: { effort: false, format: 'none' } },
  { names: /^gpt-oss([-:]\d+b)?$/, facts: reasons },
  // Anthropic. From Opus 4.7 on a temperature is rejected; thinking is off unless asked for.
  {
    names: /^claude-(opus-(4[.-][789]|[5-9].*)|(sonnet|haiku)-[5-9].*|(fable|mythos)-.*)$/,
    facts: { temperature: false },
  },
  { names: /^claude-([2-4].*|(opus|sonnet|haiku)-4.*)$/, facts: {} },
  // Google. Gemini thinks from 2.5 on.
  { names: /^gemini-(2\.5|[3-9](\.\d+)?)-(pro|flash|flash-lite)$/, facts: reasons },
  { names: /^gemini-(1\.5|2\.0)-(pro|flash|flash-lite|flash-8b)$/, facts: withoutEffort },
  // DeepSeek.
  {
    names: /^deepseek-(reasoner|r1(-\d{4})?(-distill-.*)?)(:\w+)?$/,
    facts: { reasoning: true, effort: false },
  },
  { names: /^deepseek-(chat|coder|v[23].*)(:\w+)?$/, facts: withoutEffort },
  // Qwen. Those that think say so, except for the first Qwen3, which thinks unless told otherwise.
  { names: /^(qwq(-.*|:.*)?|qwen3.*-thinking.*|qwen3([-:]\d+b(-a\d+b)?)?)$/, facts: reasons },
  {
    names: /^(qwen-(max|plus|turbo)|qwen[\d.]*-?(coder|instruct|\d+b).*|qwen2.*|qwen3.*-(instruct|coder).*)$/,
    facts: withoutEffort,
  },
  // Meta, Mistral, xAI.
  { names: /^(meta-)?(llama|codellama)-?\d.*$/, facts: withoutEffort },
  { names: /^magistral(-(small|medium)(-\d+)?)?(:.*)?$/, facts: { reasoning: true, effort: false } },
  {
    names: /^(mistral|ministral|mixtral|codestral|devstral|open-mistral|pixtral)([-:].*)?$/,
    facts: withoutEffort,
  },
  { names: /^grok-3-mini$/, facts: reasons },
  { names: /^grok-4([.-].*)?$/, facts: { reasoning: true, effort: false } },
]

/** OpenAI's models without chat completions. They are known at its own address and Azure's only. */
const responsesOnly =
  /^(o[13]-pro|o[34](-mini)?-deep-research|gpt-[56](\.\d+)?-(pro|codex(-mini|-max)?)|codex-mini)$/

const claude = /^claude-/

/** What an endpoint is known for, by its host; the models of others are taken as they are. */
const placeFacts = (place: Place, name: string): Facts => {
  switch (place) {
    case 'openai':
    case 'azure':
      return responsesOnly.test(name) ? { api: 'responses' } : {}
    case 'anthropic':
      // Its OpenAI-compatible API ignores the format of a reply and has no prompt cache.
      return { format: 'none', effort: false }
    // LangChain's packages take a format and an effort each in its own way, so neither is sent.
    case 'anthropic-package':
      return { format: 'none', effort: false, cacheControl: true }
    case 'another-package':
      return { format: 'none', effort: false }
    case 'openrouter':
      return claude.test(name) || /^gemini-/.test(name) ? { cacheControl: true } : {}
    case 'deepseek':
      return { format: 'json_object', ...(name === 'deepseek-reasoner' ? { temperature: false } : {}) }
    case 'ollama':
      // It answers one request at a time unless it is told otherwise; the next one waits there.
      return { parallel: 2 }
    case 'elsewhere':
      return {}
    default: {
      const never: never = place
      throw new Error(`unknown place ${never}`)
    }
  }
}

type Place =
  | 'openai'
  | 'azure'
  | 'anthropic'
  | 'anthropic-package'
  | 'another-package'
  | 'openrouter'
  | 'deepseek'
  | 'ollama'
  | 'elsewhere'

const placeOf = ({ provider, baseUrl }: Pick<ModelEndpoint, 'provider' | 'baseUrl'>): Place => {
  if (provider !== 'openai') return provider === 'anthropic' ? 'anthropic-package' : 'another-package'
  const host = hostOf(baseUrl)
  if (host === 'api.openai.com') return 'openai'
  if (/\.(openai\.azure|services\.ai\.azure|cognitiveservices\.azure)\.com$/.test(host)) return 'azure'
  if (host === 'api.anthropic.com') return 'anthropic'
  if (host === 'openrouter.ai') return 'openrouter'
  if (host === 'api.deepseek.com') return 'deepseek'
  return /:11434$/.test(host) || host === 'ollama.com' ? 'ollama' : 'elsewhere'
}

/** What is known about a model before it is first asked, by its name and its endpoint. */
export const knownCapabilities = (endpoint: ModelEndpoint): ModelCapabilities => {
  const name = bareName(endpoint.model)
  const facts = families.find(({ names }) => names.test(name))?.facts ?? {}
  return { ...unknownModel, ...facts, ...placeFacts(placeOf(endpoint), name) }
}

/** Whether a name is Anthropic's for one of its models. */
export const isClaude = (model: string): boolean => claude.test(bareName(model))

/**
 * The maker's name for a model: `azure/gpt-5-mini-2025-08-07`, `us.anthropic.claude-sonnet-4-5-20250929-v1:0` and
 * `Qwen/Qwen2.5-Coder-32B-Instruct` without who serves it and of which day it is.
 */
const bareName = (model: string): string =>
  (model.split('/').at(-1) ?? model)
    .toLowerCase()
    .replace(/^(?:[a-z-]+\.)?anthropic\./, '')
    .replace(/-v\d+(:\d+)?$/, '')
    .replace(/[-@](\d{4}-\d{2}-\d{2}|\d{8})$/, '')
    .replace(/(-latest|-preview(-\d{2}-\d{2,4})?)$/, '')
    .replace(/:(free|nitro|floor|beta)$/, '')
