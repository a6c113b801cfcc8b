import { Mrkdwn } from './mrkdwn.tsx'

/** Text of a block, with or without Slack's markup. */
export const TextObject = ({ text }: { readonly text: { readonly type: string; readonly text: string } }) => (
  <div className="text">{text.type === 'mrkdwn' ? <Mrkdwn text={text.text} /> : text.text}</div>
)
