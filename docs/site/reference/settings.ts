import {
  type ListedSetting,
  listSettings,
  listStrategySettings,
  type Setting,
  settingAt,
} from '../../../src/config/settings.ts'
import { settingsOfStrategy, strategyNames } from '../../../src/domain/strategies/strategy.ts'
import { asSentence, linkPages, pageStart } from './markdown.ts'

/** Groups with the settings of the first one: of the others, only what differs is told in full. */
const groupsLikeFirst = [
  [
    'models.drafter',
    ...Object.entries(settingAt(['models'])?.properties ?? {}).flatMap(([name, role]) =>
      role.properties && 'temperature' in role.properties ? [`models.${name}`] : [],
    ),
  ],
  ['channels.<name>', 'otherChannels', 'directMessages'],
]

/** The page of all settings of querent.yml. */
export const settingsPage = (): string => {
  const all = [
    ...listSettings(),
    ...strategyNames.flatMap(name => (settingsOfStrategy(name) === null ? [] : listStrategySettings(name))),
  ].filter((setting, at, list) => list.findIndex(({ path }) => path === setting.path) === at)
  const groups = Map.groupBy(all, ({ path }) => path.split('.')[0] ?? '')
  return [
    ...pageStart(
      'Settings',
      'Every setting of `querent.yml`. [configuration.md](../configuration.md) says how the file is found and read. ' +
        '`<name>` stands for a name that you choose.',
    ),
    ...[...groups].flatMap(([group, settings]) => groupLines(group, settings, all)),
    '',
  ].join('\n')
}

const groupLines = (
  group: string,
  settings: readonly ListedSetting[],
  all: readonly ListedSetting[],
): readonly string[] => {
  const [only] = settings
  if (only?.path === group) return settingLines(only, '##')
  const about = settingAt([group])?.description
  return [
    '',
    `## ${group}`,
    ...(about ? ['', linkPages(about)] : []),
    ...roleLines(group),
    ...settings
      .filter(setting => !isLikeFirst(setting, all))
      .flatMap(setting => settingLines(setting, '###')),
    ...likeFirstLines(settings, all),
  ]
}

/** What the roles of models do. */
const roleLines = (group: string): readonly string[] =>
  group !== 'models'
    ? []
    : [
        '',
        ...(groupsLikeFirst[0] ?? [])
          .filter((role, at, roles) => roles.indexOf(role) === at)
          .map(role => `- \`${role}\`: ${settingAt(role.split('.'))?.description ?? ''}`),
      ]

const settingLines = ({ path, setting }: ListedSetting, heading: string): readonly string[] => {
  const { description, expects, examples } = describe(path, setting)
  const facts = [
    ...(expects ? [asSentence(`Must be ${expects}`)] : []),
    ...(setting.default === undefined ? [] : [`Default: \`${JSON.stringify(setting.default)}\`.`]),
    ...(examples?.[0] === undefined || setting.secret
      ? []
      : [`Example: \`${JSON.stringify(examples[0])}\`.`]),
  ]
  return [
    '',
    `${heading} \`${path}\``,
    ...(description ? ['', linkPages(description)] : []),
    ...(facts.length === 0 ? [] : ['', linkPages(facts.join(' '))]),
  ]
}

/** A setting under a name that the user chooses is described where the names are. */
const describe = (path: string, setting: Setting): Setting =>
  setting.description || !path.endsWith('.<name>')
    ? setting
    : { ...settingAt(path.split('.').slice(0, -1)), ...setting }

const likeFirstLines = (
  settings: readonly ListedSetting[],
  all: readonly ListedSetting[],
): readonly string[] =>
  groupsLikeFirst.flatMap(([first = '', ...others]) => {
    const lines = others
      .filter(other => other !== first)
      .flatMap(other => {
        const same = settings.filter(
          setting => setting.path.startsWith(`${other}.`) && isLikeFirst(setting, all),
        )
        if (same.length === 0) return []
        const names = same.map(({ path }) => `\`${path.slice(other.length + 1)}\``)
        return [`- \`${other}\`: ${names.join(', ')}`]
      })
    return lines.length === 0 ? [] : ['', `As under \`${first}\`:`, '', ...lines]
  })

const isLikeFirst = ({ path, setting }: ListedSetting, all: readonly ListedSetting[]): boolean =>
  groupsLikeFirst.some(([first = '', ...others]) => {
    const group = others.find(other => other !== first && path.startsWith(`${other}.`))
    if (group === undefined) return false
    const same = all.find(other => other.path === first + path.slice(group.length))?.setting
    // A role without a default of its own takes the drafter's.
    return (
      same !== undefined &&
      same.description === setting.description &&
      same.expects === setting.expects &&
      (setting.default === undefined || JSON.stringify(same.default) === JSON.stringify(setting.default))
    )
  })
