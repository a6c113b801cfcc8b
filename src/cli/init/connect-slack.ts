import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pc from 'picocolors'
import { parseDocument } from 'yaml'
import { type Config, makeSecret } from '../../config/config.ts'
import { checkBotToken, checkReceiver, type SlackFinding } from '../checks/check-slack.ts'
import { flagError, type InitRun } from './init-run.ts'
import { saveSecret } from './settings.ts'

/** What the last step came to. `todo`: what is missing, in words. */
export interface ConnectedSlack {
  readonly status: 'ok' | 'not-set' | 'broken'
  readonly way: 'socket' | 'http' | null
  readonly finding: string
  readonly todo: string | null
  /** Null where the tokens were there already. */
  readonly manifest: string | null
}

const skippedSlack: ConnectedSlack = {
  status: 'not-set',
  way: null,
  finding: 'not connected',
  todo: 'npm run -s querent -- init goes on here',
  manifest: null,
}

/**
 * The last step: the app in Slack. Tokens that are there are checked. Else the manifest for the way that somebody chooses is
 * shown with where to paste it, and each token is asked for, checked with Slack, and kept in `.env` at once.
 */
export const connectSlack = async (run: InitRun): Promise<ConnectedSlack> => {
  const { slack } = run.setup().config
  if (slack.botToken !== null && (slack.appToken ?? slack.signingSecret) !== null) {
    const checked = await checkTokens(run, slack)
    if (checked.status === 'ok' || !run.prompts) return checked
  }
  const way = await chooseConnectionMode(run)
  if (way === null) return skippedSlack
  const manifest = await slackManifest(way)
  if (!run.prompts) {
    const missing = { ...skippedSlack, way: way.way, finding: listMissingVariables(slack, way), manifest }
    run.mark('weak', missing.finding)
    printManifest(run, manifest, way)
    return missing
  }
  printManifest(run, manifest, way)
  const bot = await askForToken(run, {
    variable: 'SLACK_BOT_TOKEN',
    message: 'Bot User OAuth Token (xoxb-...; Enter: not now)',
    pattern: /^xoxb-./,
    check: token => checkBotToken({ ...slack, botToken: makeSecret(token) }, run.signal),
  })
  if (!bot) return { ...skippedSlack, way: way.way, manifest }
  const wayIn = await askForToken(run, connectionModes(run)[way.way])
  if (!wayIn) return { ...skippedSlack, way: way.way, manifest }
  run.reload()
  return summarizeFindings(way.way, [bot, wayIn], manifest)
}

const connectionModes = (run: InitRun) => {
  const { apiUrl } = run.setup().config.slack
  return {
    socket: {
      variable: 'SLACK_APP_TOKEN',
      message: 'App-Level Token (xapp-...; Enter: not now)',
      pattern: /^xapp-./,
      check: (token: string) =>
        checkReceiver({ apiUrl, appToken: makeSecret(token), signingSecret: null }, run.signal),
    },
    http: {
      variable: 'SLACK_SIGNING_SECRET',
      message: 'Signing Secret (Enter: not now)',
      pattern: /^[0-9a-f]{16,}$/i,
      check: (secret: string) =>
        checkReceiver({ apiUrl, appToken: null, signingSecret: makeSecret(secret) }, run.signal),
    },
  } as const
}

const checkTokens = async (run: InitRun, slack: Config['slack']): Promise<ConnectedSlack> => {
  const way = slack.appToken ? 'socket' : 'http'
  const bot = await reportUnreachable(() => checkBotToken(slack, run.signal), run.signal)
  printFinding(run, bot)
  const wayIn =
    bot.status === 'ok' ? await reportUnreachable(() => checkReceiver(slack, run.signal), run.signal) : null
  if (wayIn) printFinding(run, wayIn)
  return summarizeFindings(way, wayIn ? [bot, wayIn] : [bot], null)
}

/** What the findings on the tokens come to: the first that is not well, else the first. */
const summarizeFindings = (
  way: 'socket' | 'http',
  findings: readonly SlackFinding[],
  manifest: string | null,
): ConnectedSlack => {
  const bad = findings.find(({ status }) => status !== 'ok')
  const told = bad ?? findings[0]
  return {
    status: bad ? 'broken' : 'ok',
    way,
    finding: told?.finding ?? '',
    todo: told?.todo ?? null,
    manifest,
  }
}

const chooseConnectionMode = async (run: InitRun): Promise<SlackConnectionMode | null> => {
  const { options, prompts } = run
  const given = options.slack ?? (options.url === undefined ? undefined : 'http')
  const chosen =
    given ??
    (prompts
      ? await prompts.choose({
          message: 'How does Slack reach the bot?',
          choices: [
            {
              value: 'socket',
              name: 'Socket Mode: the bot calls Slack',
              description: 'Needs no public address. The usual choice for one company.',
            },
            {
              value: 'http',
              name: 'HTTP: Slack calls the bot',
              description: 'Needs an address that Slack can reach over HTTPS.',
            },
            { value: 'none', name: 'Not now', description: 'init goes on from here the next time.' },
          ],
        })
      : 'none')
  switch (chosen) {
    case 'none':
      return null
    case 'socket':
      return { way: 'socket' }
    case 'http': {
      const url =
        options.url ??
        (await prompts?.text({
          message: 'Address that Slack calls, such as https://querent.example.com',
          validate: validateUrl,
        }))
      if (url === undefined) throw flagError('--slack http needs --url, the address that Slack calls.')
      const valid = validateUrl(url)
      if (valid !== true) throw flagError(`--url: ${valid}`)
      return { way: 'http', url }
    }
    default:
      throw flagError(`--slack is socket, http or none, not ${JSON.stringify(chosen)}.`)
  }
}

const validateUrl = (url: string): true | string =>
  (URL.canParse(url) && new URL(url).protocol === 'https:') || 'An address that begins with https://.'

const printManifest = (run: InitRun, manifest: string, way: SlackConnectionMode): void => {
  const { print: say } = run
  say()
  say('  1. Open https://api.slack.com/apps?new_app=1 and choose "From a manifest", then your workspace.')
  say('  2. Choose YAML and paste what stands between the two lines:')
  say()
  say(pc.dim('-'.repeat(80)))
  say(manifest.trimEnd())
  say(pc.dim('-'.repeat(80)))
  say()
  say('  3. "Install App": install it, and copy the Bot User OAuth Token (xoxb-...).')
  if (way.way === 'socket')
    say('  4. "Basic Information", "App-Level Tokens": make one with the scope connections:write (xapp-...).')
  else {
    say('  4. "Basic Information", "App Credentials": copy the Signing Secret.')
    say(
      `     Slack calls ${new URL(eventsPath, way.url).href}, and tries it once the bot runs ("Event Subscriptions", Retry).`,
    )
  }
  say()
}

/**
 * Asks until Slack takes what was typed, or nothing is: null then. One that is set already and that Slack takes is not asked
 * for again.
 */
const askForToken = async (
  run: InitRun,
  token: {
    readonly variable: string
    readonly message: string
    readonly pattern: RegExp
    readonly check: (token: string) => Promise<SlackFinding>
  },
): Promise<SlackFinding | null> => {
  const known = run.environment().lookUp(token.variable)
  if (known !== undefined) {
    const found = await reportUnreachable(() => token.check(known), run.signal)
    printFinding(run, found)
    if (found.status === 'ok') return found
  }
  for (;;) {
    const typed = await run.prompts?.secret({
      message: token.message,
      validate: value => value === '' || token.pattern.test(value) || 'That does not look like it.',
    })
    if (!typed) return null
    const found = await reportUnreachable(() => token.check(typed), run.signal)
    printFinding(run, found)
    const mayKeep =
      found.status === 'ok' ||
      (found.isUnchecked &&
        (await run.prompts?.agree({ message: 'Keep it without a check?', suggestion: false })))
    if (!mayKeep) continue
    await saveSecret({ ...run, options: { ...run.options, replace: true } }, token.variable, typed)
    return found
  }
}

const listMissingVariables = (slack: Config['slack'], way: SlackConnectionMode): string => {
  const wanted = [
    ...(slack.botToken ? [] : ['SLACK_BOT_TOKEN']),
    ...(way.way === 'socket' && !slack.appToken ? ['SLACK_APP_TOKEN'] : []),
    ...(way.way === 'http' && !slack.signingSecret ? ['SLACK_SIGNING_SECRET'] : []),
  ]
  return `${wanted.join(' and ')} ${wanted.length === 1 ? 'is' : 'are'} not set`
}

const printFinding = (run: InitRun, { status, finding, todo }: SlackFinding): void => {
  run.mark(status === 'ok' ? 'ok' : 'broken', finding)
  if (todo !== undefined) run.mark('to do', todo)
}

/** Where Slack did not answer at all, nothing is known of the token. */
const reportUnreachable = (
  check: () => Promise<SlackFinding>,
  signal: AbortSignal,
): Promise<SlackFinding & { readonly isUnchecked?: boolean }> =>
  check().catch((error: unknown) => {
    signal.throwIfAborted()
    const why = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    return {
      isUnchecked: true,
      status: 'broken',
      finding: `Slack cannot be reached: ${why}`,
      todo: 'Check the network, and whether a proxy is needed (NODE_USE_ENV_PROXY=1 with HTTPS_PROXY).',
    }
  })

/** How Slack reaches the bot: over a socket that the bot opens, or at a public address of the bot's. */
type SlackConnectionMode = { readonly way: 'socket' } | { readonly way: 'http'; readonly url: string }

/** Where Slack calls, on the address that the bot is reached at. */
const eventsPath = '/slack/events'

/** manifest.yml, as it is to be pasted for one of the two ways in. */
export const slackManifest = async (way: SlackConnectionMode): Promise<string> => {
  const text = await readFile(join(import.meta.dirname, '../../../manifest.yml'), 'utf8')
  if (way.way === 'socket') return text
  const document = parseDocument(text)
  const address = new URL(eventsPath, way.url).href
  document.setIn(['settings', 'socket_mode_enabled'], false)
  document.setIn(['settings', 'event_subscriptions', 'request_url'], address)
  document.setIn(['settings', 'interactivity', 'request_url'], address)
  const commands = document.toJS().features.slash_commands as readonly unknown[]
  for (const i of commands.keys()) document.setIn(['features', 'slash_commands', i, 'url'], address)
  return document.toString({ lineWidth: 0 })
}
