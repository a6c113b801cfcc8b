/** Slack's own form of a person's id; names at a terminal look otherwise. */
export const isSlackPerson = (name: string | null): name is string =>
  name !== null && /^[UW][A-Z0-9]{5,}$/.test(name)
