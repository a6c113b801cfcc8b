/** Words that say nothing by themselves about which rows or columns are meant: leaving them unread costs nothing. */
export const functionWords: ReadonlySet<string> = new Set(
  `a an the this that these those there here it its they them their theirs he him his she her hers we us our you your
  i me my mine someone somebody anyone anybody everyone who whom whose which what where when why how is are was were be
  been being am do does did done doing has have had having can could will would shall should may might must of in on at
  by for from to with into onto as about among across within through and also so then than if such some any please just
  find show list give tell return display get fetch see want know like provide present output print report
  name-of kind sort let make made named called titled labelled ever exist exists existing corresponding respective
  respectively associated related belong belongs belonging available recorded record records listed stored along
  together both either each every all per own owned besides well only still yet already currently same other others
  one ones thing things much many more less most least number amount value values data database table information info
  details detail entry entries item items different distinct unique various overall total whole entire first
  no not nor never without none but except however while whether or since until during between
  us u s t re ve ll m d im id's whats who's please kindly plus`
    .split(/\s+/)
    .filter(Boolean),
)
