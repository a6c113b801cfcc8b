import type { CallFailure } from './call-failure.ts'
import { type ModelConnection, openAiBaseUrl } from './openai.ts'

/** What a person should check, for a request that failed for good. Names the place and the model, never the key. */
export const explainFailure = (
  failure: CallFailure,
  context: { readonly connection: ModelConnection; readonly model: string; readonly timeoutMs: number },
): string => {
  const { kind, status } = failure.facts
  const host = hostOf(context.connection.baseUrl ?? openAiBaseUrl)
  const http = status === null ? '' : ` (HTTP ${status})`
  switch (kind) {
    case 'rate-limited':
      return `${host} keeps turning requests away because there are too many${http}. Try again in a minute, or raise the limits of your account there.`
    case 'quota-spent':
      return `The account at ${host} has no credit left${http}. Check its billing page.`
    case 'server-error':
      return `${host} keeps failing${http}: ${failure.message}. Look at its status page or its log, and try again.`
    case 'timed-out':
      return `${host} did not answer within ${context.timeoutMs / 1000} s. Check that ${context.model} is loaded there, or raise timeoutMs of the model in querent.yml.`
    case 'unreachable':
      return `${host} cannot be reached: ${failure.message}. Check OPENAI_BASE_URL and the network.`
    case 'unreadable':
      return `${host} does not answer like an OpenAI-compatible endpoint. Check that OPENAI_BASE_URL ends where /chat/completions begins, usually in /v1.`
    case 'rejected':
      return explainRejection(failure, host, context.model, http)
    default: {
      const never: never = kind
      throw new Error(`unknown kind of failure ${never}`)
    }
  }
}

const explainRejection = (failure: CallFailure, host: string, model: string, http: string): string => {
  switch (failure.facts.status) {
    case 401:
    case 403:
      return `${host} did not accept the key${http}. Check OPENAI_API_KEY, and that it may use ${model}.`
    case 404:
      return `${host} knows no model ${model}, or has nothing at this address${http}: ${failure.message}. Check the model's name in querent.yml and OPENAI_BASE_URL.`
    default:
      return `${host} rejected the request to ${model}${http}: ${failure.message}. Check the model's settings in querent.yml.`
  }
}

/** An address may hold a password; its host says enough. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'The model endpoint')
