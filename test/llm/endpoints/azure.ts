import { rejectChat, writeReply } from './openai-chat.ts'
import { type Arrived, bearerOf, rightKey, type Sent, startEndpoint } from './start-endpoint.ts'

/** What a team has deployed, under names of its own. */
const deployments: Readonly<Record<string, { readonly isReasoning: boolean }>> = {
  prod: { isReasoning: true },
  cheap: { isReasoning: false },
}

const error = (status: number, code: string, message: string): Sent => ({
  status,
  body: { error: { code, message } },
})

const wrongKey = error(
  401,
  '401',
  'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.',
)

const notFound = error(404, '404', 'Resource not found')

/** The newer API takes the key as OpenAI does, too. The older one takes `authorization` for a token of Entra ID only. */
const hasKey = (request: Arrived, isOlder: boolean): boolean =>
  isOlder
    ? request.headers['api-key'] === rightKey && request.headers.authorization === undefined
    : request.headers['api-key'] === rightKey || bearerOf(request) === rightKey

const answer = (request: Arrived, name: string): Sent => {
  const deployment = deployments[name]
  if (!deployment)
    return error(404, 'DeploymentNotFound', 'The API deployment for this resource does not exist.')
  return rejectChat(request.body, deployment.isReasoning) ?? writeReply(request.body, deployment.isReasoning)
}

/** A double of an Azure OpenAI resource, with the newer path and the older one of each deployment. */
export const startAzure = () =>
  startEndpoint(request => {
    const older = /^\/openai\/deployments\/([^/]+)\/chat\/completions$/.exec(request.path)?.[1]
    if (older !== undefined) {
      if (!/^\d{4}-\d{2}-\d{2}(-preview)?$/.test(request.query.get('api-version') ?? '')) return notFound
      return hasKey(request, true) ? answer(request, older) : wrongKey
    }
    if (request.path !== '/openai/v1/chat/completions') return notFound
    if (request.query.has('api-version')) return error(400, 'BadRequest', 'API version not supported')
    return hasKey(request, false) ? answer(request, String(request.body.model)) : wrongKey
  })
