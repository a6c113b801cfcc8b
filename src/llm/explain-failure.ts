import type { CallFailure } from './call-failure.ts'
import type { ModelConnection } from './call-model.ts'
import { openAiBaseUrl } from './endpoint-address.ts'

/** Where the model was looked for. */
type FailedConnection = ModelConnection & { readonly provider?: string }

/** Says what a person should check after a request failed for good. Names the endpoint and the model, never the key. */
export const explainFailure = (
  failure: CallFailure,
  context: { readonly connection: FailedConnection; readonly model: string; readonly timeoutMs: number },
): string => {
  const { kind, status } = failure.facts
  const { connection } = context
  const said = withoutPeriod(failure.message)
  const host = hostOf(connection)
  const http = status === null ? '' : ` (HTTP ${status})`
  const address = settingOf(connection, 'baseUrl')
  switch (kind) {
    case 'rate-limited':
      return `${host} keeps turning requests away because there are too many${http}. Try again in a minute, or raise the limits of your account there.`
    case 'quota-spent':
      return `The account at ${host} has no credit left${http}. Check its billing page.`
    case 'server-error':
      return `${host} keeps failing${http}: ${said}. Look at its status page or its log, and try again.`
    case 'timed-out':
      return `${host} did not answer within ${Math.round(context.timeoutMs) / 1000} s. Check that ${context.model} is loaded there, or raise timeoutMs of the model in querent.yml.`
    case 'unreachable':
      return `${host} cannot be reached: ${said}. Check ${address} and the network.`
    case 'unreadable':
      return `${host} does not answer like an OpenAI-compatible endpoint. Check that ${address} ends where /chat/completions begins, usually in /v1.`
    case 'resting':
      return `${context.model} at ${host} is not asked for a while, because its last requests failed. The log says why; models.breaker in querent.yml sets for how long.`
    case 'rejected':
      return explainRejection(failure, { host, http, model: context.model, connection })
    default: {
      const never: never = kind
      throw new Error(`unknown kind of failure ${never}`)
    }
  }
}

const explainRejection = (
  failure: CallFailure,
  {
    host,
    http,
    model,
    connection,
  }: { host: string; http: string; model: string; connection: FailedConnection },
): string => {
  const said = withoutPeriod(failure.message)
  switch (failure.facts.status) {
    case 401:
    case 403:
      return `${host} did not accept the key${http}. Check ${settingOf(connection, 'apiKey')}, and that it may use ${model}.`
    case 404:
      return `${host} knows no model ${model}, or has nothing at this address${http}: ${said}. Check the model's name in querent.yml and ${settingOf(connection, 'baseUrl')}.`
    default:
      return `${host} rejected the request to ${model}${http}: ${said}. Check the model's settings in querent.yml.`
  }
}

/** The sentence around it ends with its own. */
const withoutPeriod = (message: string): string => message.replace(/\.+$/, '')

const variables = { baseUrl: 'OPENAI_BASE_URL', apiKey: 'OPENAI_API_KEY' } as const

/** The setting that holds the address or the key of a connection. */
const settingOf = ({ name }: FailedConnection, key: keyof typeof variables): string =>
  name === undefined ? variables[key] : `${key} of models.endpoints.${name}`

/** An address may contain a password; its host says enough. */
const hostOf = ({ baseUrl, provider = 'openai' }: FailedConnection): string => {
  if (baseUrl === null && provider !== 'openai') return `The endpoint of ${provider}`
  const url = baseUrl ?? openAiBaseUrl
  return URL.canParse(url) ? new URL(url).host : 'The model endpoint'
}
