import { isAgentStrategy } from '../domain/strategies/strategy.ts'
import type { Environment } from './env.ts'
import { type Problem, suggest } from './problems.ts'
import type { SettingsFile } from './settings-file.ts'

/**
 * Checks what a schema cannot: settings that must match each other or the environment. The data may have other errors, so
 * that these problems and those of the schema can be shown together.
 */
export const checkConsistency = (
  data: unknown,
  environment: Environment,
  whereIs: SettingsFile['whereIs'],
): Problem[] => {
  const databases = groupIn(data, 'databases')
  const names = Object.keys(databases)
  const problems: Problem[] = []

  for (const name of names) {
    const database = groupIn(databases, name)
    if (typeof databases[name] !== 'object' || databases[name] === null) continue
    const where = whereIs(['databases', name], 'key')
    if ('url' in database && 'path' in database) {
      problems.push({ where, message: `databases.${name} has both url and path. Keep one of them.` })
    } else if (!('url' in database || 'path' in database)) {
      problems.push({ where, message: `databases.${name} needs a url, or the path of a SQLite file.` })
    }
  }

  const chosen = Reflect.get(groupIn({ data }, 'data'), 'defaultDatabase')
  if (typeof chosen === 'string' && !names.includes(chosen)) {
    const where = whereIs(['defaultDatabase'], 'value')
    problems.push({
      where,
      message: `defaultDatabase is "${chosen}", which is not under databases. ${adviseName(chosen, names)}`,
    })
  }

  problems.push(...checkChannels(data, names, whereIs))
  problems.push(...checkAccess(data, databases, whereIs))
  problems.push(...checkModels(data, environment, whereIs))
  problems.push(...checkStrategies(data, whereIs))
  problems.push(...checkMcp(data, names, environment, whereIs))
  return problems
}

/** Checks that channels use databases that exist. */
const checkChannels = (
  data: unknown,
  names: readonly string[],
  whereIs: SettingsFile['whereIs'],
): Problem[] => {
  const channels = groupIn(data, 'channels')
  const places = [
    ...Object.keys(channels).map(name => ({ path: ['channels', name], place: groupIn(channels, name) })),
    ...['otherChannels', 'directMessages'].map(name => ({ path: [name], place: groupIn(data, name) })),
  ]
  const groups = Object.keys(groupIn(groupIn(data, 'access'), 'groups'))
  const audiences = places.flatMap(({ path, place: { audience } }) => {
    if (typeof audience !== 'string' || groups.includes(audience)) return []
    const message = `${path.join('.')}.audience is "${audience}", which is not under access.groups.`
    return [{ where: whereIs([...path, 'audience'], 'value'), message }]
  })
  const databases = places.flatMap(({ path, place: { database } }) => {
    if (typeof database !== 'string' || names.includes(database)) return []
    const advice = adviseName(database, names)
    const message = `${path.join('.')}.database is "${database}", which is not under databases. ${advice}`
    return [{ where: whereIs([...path, 'database'], 'value'), message }]
  })
  return [...databases, ...audiences]
}

/** What conditions and session variables may have filled in. */
const placeholder = /\{(?!person\.(?:id|email)\}|claim\.[a-z][a-z0-9_-]*\})[^{}]*\}/i

/** Checks that groups have members, name databases and credentials that exist, and have no unknown placeholders. */
const checkAccess = (
  data: unknown,
  databases: Record<string, unknown>,
  whereIs: SettingsFile['whereIs'],
): Problem[] => {
  const groups = groupIn(groupIn(data, 'access'), 'groups')
  const names = Object.keys(databases)
  return Object.keys(groups).flatMap(name => {
    const path = ['access', 'groups', name]
    const group = groupIn(groups, name)
    const problem = (more: readonly string[], text: string, part: 'key' | 'value' = 'value'): Problem => ({
      where: whereIs([...path, ...more], part),
      message: `${[...path, ...more].join('.')} ${text}`,
    })
    const problems: Problem[] = []
    if (!('members' in group || 'claims' in group))
      problems.push(problem([], 'needs members or claims. `members: everyone` stands for all people.', 'key'))
    const granted = groupIn(group, 'databases')
    for (const database of Object.keys(granted)) {
      const more = ['databases', database]
      if (!names.includes(database) && database !== 'sample-company') {
        problems.push(problem(more, `is not under databases. ${adviseName(database, names)}`, 'key'))
        continue
      }
      const { credentials, rows, session } = groupIn(granted, database)
      const known = Object.keys(groupIn(groupIn(databases, database), 'credentials'))
      if (typeof credentials === 'string' && !known.includes(credentials))
        problems.push(
          problem(
            [...more, 'credentials'],
            `is "${credentials}", which is not under databases.${database}.credentials.`,
          ),
        )
      for (const [list, texts] of Object.entries({ rows, session }))
        for (const [key, text] of Object.entries(groupIn({ texts }, 'texts'))) {
          const [unknown] = typeof text === 'string' ? (placeholder.exec(text) ?? []) : []
          if (unknown !== undefined)
            problems.push(
              problem(
                [...more, list, key],
                `has ${unknown}. Only {person.id}, {person.email} and {claim.NAME} are filled in.`,
              ),
            )
        }
    }
    return problems
  })
}

const adviseName = (name: string, known: readonly string[]): string => {
  const similar = suggest(name, known)
  if (similar !== null) return `Did you mean ${similar}?`
  return known.length === 0 ? 'No database is configured.' : `Configured databases: ${known.join(', ')}.`
}

/** Checks that every model has an endpoint, and a price if money is limited. */
const checkModels = (
  data: unknown,
  environment: Environment,
  whereIs: SettingsFile['whereIs'],
): Problem[] => {
  const models = groupIn(data, 'models')
  if (Object.keys(models).length === 0) return []
  const problems: Problem[] = []
  const named = namesOfModels(models)
  const hasOwnEndpoint = (name: string): boolean => {
    const endpoint = groupIn(groupIn(models, 'endpoints'), name)
    return 'baseUrl' in endpoint || ('provider' in endpoint && endpoint.provider !== 'openai')
  }
  const embedder = groupIn(models, 'embedder').model
  const placed = [...named, ...(typeof embedder === 'string' ? [embedder] : [])]
  const isSet =
    environment.lookUp('OPENAI_API_KEY') ||
    environment.lookUp('OPENAI_BASE_URL') ||
    environment.values.QUERENT_LLM === 'replay'
  if (!isSet && !(placed.length > 0 && placed.every(hasOwnEndpoint))) {
    const message =
      'models needs OPENAI_API_KEY in the environment, or OPENAI_BASE_URL for an endpoint without a key.'
    problems.push({ where: whereIs(['models'], 'key'), message })
  }
  const provider = groupIn(groupIn(models, 'endpoints'), String(embedder)).provider ?? 'openai'
  if (provider !== 'openai') {
    const message = `models.embedder needs an endpoint with OpenAI's API, but ${embedder} is at ${provider}.`
    problems.push({ where: whereIs(['models', 'embedder', 'model'], 'value'), message })
  }
  const unpriced = named.filter(name => !Object.hasOwn(groupIn(models, 'prices'), name))
  if ('moneyPerDay' in groupIn(data, 'budget') && unpriced.length > 0) {
    const message = `budget.moneyPerDay needs the price of every model. Add ${unpriced.join(', ')} to models.prices.`
    problems.push({ where: whereIs(['budget', 'moneyPerDay'], 'value'), message })
  }
  return problems
}

/** Checks that there is a model for every strategy that asks one. */
const checkStrategies = (data: unknown, whereIs: SettingsFile['whereIs']): Problem[] => {
  if (Object.keys(groupIn(data, 'models')).length > 0) return []
  const channels = groupIn(data, 'channels')
  const places = [
    { path: [], group: groupIn({ data }, 'data') },
    ...Object.keys(channels).map(name => ({ path: ['channels', name], group: groupIn(channels, name) })),
    ...['otherChannels', 'directMessages'].map(name => ({ path: [name], group: groupIn(data, name) })),
  ]
  return places.flatMap(({ path, group: { strategy } }) => {
    if (typeof strategy !== 'string' || !isAgentStrategy(strategy)) return []
    const name = [...path, 'strategy'].join('.')
    const message = `${name} is ${strategy}, which asks models, and none is configured. Set models.drafter, or use adaptive.`
    return [{ where: whereIs([...path, 'strategy'], 'value'), message }]
  })
}

/** Checks that tokens name databases that exist and differ, and that Slack is set up if it decides. */
const checkMcp = (
  data: unknown,
  names: readonly string[],
  { values }: Environment,
  whereIs: SettingsFile['whereIs'],
): Problem[] => {
  const mcp = groupIn(data, 'mcp')
  const tokens = groupIn(mcp, 'tokens')
  const problems: Problem[] = []
  const knowsSlack = values.SLACK_BOT_TOKEN !== undefined || values.SLACK_CLIENT_ID !== undefined
  const seen = new Map<unknown, string>()
  for (const name of Object.keys(tokens)) {
    const { token, person, team, databases } = groupIn(tokens, name)
    const path = ['mcp', 'tokens', name]
    for (const database of Array.isArray(databases) ? databases : []) {
      if (typeof database !== 'string' || names.includes(database)) continue
      const message = `${path.join('.')}.databases has "${database}", which is not under databases. ${adviseName(database, names)}`
      problems.push({ where: whereIs([...path, 'databases'], 'value'), message })
    }
    if (typeof team === 'string') {
      if (!knowsSlack) {
        const message = `${path.join('.')}.team needs SLACK_BOT_TOKEN or SLACK_CLIENT_ID in the environment, to look up the person in Slack.`
        problems.push({ where: whereIs([...path, 'team'], 'value'), message })
      }
      if (typeof person === 'string' && !/^[UW][A-Z0-9]+$/.test(person)) {
        const message = `${path.join('.')}.person must be a Slack id such as U012AB3CD, because the token has a team.`
        problems.push({ where: whereIs([...path, 'person'], 'value'), message })
      }
    }
    const same = seen.get(token)
    if (typeof token === 'string' && same !== undefined) {
      const message = `${path.join('.')} has the same token as mcp.tokens.${same}. Give each its own.`
      problems.push({ where: whereIs([...path, 'token'], 'value'), message })
    }
    seen.set(token, name)
  }
  if (mcp.slack === true && !(values.SLACK_SIGNING_SECRET !== undefined && knowsSlack)) {
    const message =
      'mcp.slack needs SLACK_SIGNING_SECRET, and SLACK_BOT_TOKEN or SLACK_CLIENT_ID, in the environment.'
    problems.push({ where: whereIs(['mcp', 'slack'], 'value'), message })
  }
  return problems
}

/** The models of all roles, with fallbacks, without the embedder. */
const namesOfModels = (models: Record<string, unknown>): string[] => {
  const drafters: unknown = models.drafters
  const roles = [
    ...Object.keys(models).map(name => (name === 'embedder' ? {} : groupIn(models, name))),
    ...(Array.isArray(drafters) ? drafters.map(one => groupIn({ one }, 'one')) : []),
  ]
  const names = roles.flatMap(role => [role.model, ...(Array.isArray(role.fallbacks) ? role.fallbacks : [])])
  return [...new Set(names.filter(name => typeof name === 'string'))]
}

const groupIn = (data: unknown, name: string): Record<string, unknown> => {
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
