/** Words for several events by what happens: their stems, and the stems of the dates and models they stand for. */
export const eventWords: readonly {
  readonly words: string
  /** Words in the names of dates. */
  readonly dates: string
  /** What such rows are called, likeliest first; empty for any. */
  readonly models: string
}[] = [
  {
    words:
      'signup|signups|sign-up|sign-ups|sign up|sign ups|signed up|registration|registrations|registered|signing up|onboarded|joined us',
    dates: 'created signed registered joined signup registration',
    models: 'customer client account user member patient student subscriber advertiser company',
  },
  {
    words: 'joined|joiners|join',
    dates: 'joined hired created registered started',
    models: 'member employee user customer team staff teacher student',
  },
  {
    words:
      'hired|hires|started working|started working here|new hires|started with us|started here|joined the team|working here|been working here|worked here|been here|working for us',
    dates: 'hired hire started joined',
    models: 'employee staff teacher doctor driver manager person worker',
  },
  {
    words:
      'canceled|cancelled|cancel|cancels|churned|cancellations|cancellation|churn|quit|terminated|unsubscribed',
    dates: 'canceled cancelled churned ended end left terminated',
    models: 'subscription contract account customer order appointment booking employee',
  },
  {
    words: 'left|quit|leave|leavers|resigned|stopped working',
    dates: 'left ended terminated departed end',
    models: 'employee staff teacher doctor driver customer member student client account',
  },
  {
    words: 'left us|leave us|leaves us|leaving us',
    dates: 'left ended terminated departed end churned',
    models: 'customer client account advertiser member subscriber student contract employee staff',
  },
  {
    words: 'lose|losing',
    dates: 'left ended terminated departed churned canceled cancelled closed',
    models: 'customer client account advertiser member subscriber student subscription contract',
  },
  {
    words: 'signed up for|sign up for|signing up for',
    dates: 'enrolled enrollment registered signed booked created',
    models: 'enrollment registration booking subscription',
  },
  {
    words: 'been with us',
    dates: 'created signed registered joined admitted enrolled hired',
    models:
      'customer client account user member patient student subscriber advertiser company guest employee staff teacher doctor driver',
  },
  {
    words: 'stay with us|stayed with us',
    dates: 'joined admitted enrolled hired',
    models: 'member patient student employee staff teacher doctor driver',
  },
  { words: 'shipped|ship|dispatched|sent out|sent|send|ships', dates: 'shipped ship dispatched', models: '' },
  { words: 'delivered|deliver|arrived', dates: 'delivered delivery arrived', models: '' },
  { words: 'returned|return|brought back', dates: 'returned return', models: '' },
  { words: 'paid|settled|pay', dates: 'paid payment', models: '' },
  { words: 'due|falling due|fall due', dates: 'due', models: '' },
  { words: 'resolved|solved|closed', dates: 'resolved solved closed', models: '' },
  {
    words: 'opened|open|raised|filed|submitted|reported',
    dates: 'opened created submitted reported',
    models: '',
  },
  { words: 'created|added|set up', dates: 'created added', models: '' },
  {
    words: 'launched|launch|started|start|went live|began',
    dates: 'launched started start starts launch began',
    models: '',
  },
  {
    words: 'ended|end|expired|expire|finished',
    dates: 'ended end ends expired expires finished expiry',
    models: '',
  },
  { words: 'published|released|release|came out', dates: 'released published release', models: '' },
  { words: 'placed|ordered', dates: 'placed ordered order', models: 'order purchase sale' },
  {
    words: 'sold|sell|sells|selling|sales of',
    dates: 'placed ordered purchased sold order purchase',
    models: 'order_line line order sale',
  },
  {
    words: 'bought|purchased|buy|buying|bought anything|purchase',
    dates: 'placed ordered purchased sold order purchase',
    models: 'order purchase sale transaction invoice',
  },
  { words: 'rented|rent|borrowed', dates: 'rented rental borrowed', models: 'rental loan' },
  {
    words: 'checked in|check in|checking in|check-in|check-ins|arrived|arrivals|arrival|arriving|stayed|stay',
    dates: 'checkin in arrival arrived arrives',
    models: 'booking reservation stay appointment visit',
  },
  {
    words: 'checked out|check out|checking out|check-out|check-outs|departures|departure|departed|departing',
    dates: 'checkout out departure departed departs',
    models: 'booking reservation stay appointment visit',
  },
  {
    words: 'booked|bookings|booking|books|book',
    dates: 'booked booking',
    models: 'booking reservation appointment shipment',
  },
  { words: 'visited|visit|visits', dates: 'visit visited', models: 'visit appointment session' },
  {
    words: 'enrolled|enroll|admitted|admit|admissions|admission',
    dates: 'enrolled admitted admission enrollment',
    models: 'student enrollment patient',
  },
  { words: 'approved|approve', dates: 'approved', models: '' },
  { words: 'logged in|log in|last seen|seen|active', dates: 'login seen', models: 'user' },
  {
    words: 'retired|taken out of service|decommissioned|out of service',
    dates: 'retired decommissioned',
    models: '',
  },
  {
    words: 'replied|answered|answer|reply|first reply|respond|responded',
    dates: 'reply replied answered responded response',
    models: '',
  },
  { words: 'born|birthday', dates: 'birth born birthday dob', models: '' },
]

/** What people call models, and what those models may be named, likeliest first. */
export const modelWords: readonly { readonly said: string; readonly named: string }[] = [
  {
    said: 'customer|client|buyer|shopper|purchaser',
    named:
      'customer client buyer account advertiser company organization subscriber tenant member guest patron',
  },
  { said: 'account', named: 'account customer client' },
  { said: 'company|firm|business', named: 'company account customer client organization advertiser' },
  {
    said: 'employee|staff|team member|colleague|worker|people|someone on the team',
    named: 'employee staff worker agent person teacher',
  },
  { said: 'rep|sales rep|salesperson|agent', named: 'rep agent employee staff' },
  { said: 'order|purchase', named: 'order purchase transaction sale booking invoice' },
  { said: 'product|item|article|goods', named: 'product item article sku' },
  { said: 'song|tune', named: 'song track' },
  { said: 'track', named: 'track song' },
  { said: 'record', named: 'album record' },
  {
    said: 'ticket|support request|complaint|support case|request',
    named: 'ticket case complaint request issue',
  },
  { said: 'user|login', named: 'user member' },
  { said: 'member', named: 'member user subscriber' },
  { said: 'visit|consultation', named: 'visit appointment session consultation' },
  { said: 'booking|reservation', named: 'booking reservation appointment' },
  { said: 'physician|doc', named: 'doctor physician' },
  { said: 'procedure|service', named: 'treatment procedure service' },
  { said: 'pupil|kid|child|learner', named: 'student pupil child' },
  { said: 'subject', named: 'subject course' },
  { said: 'class', named: 'class course' },
  { said: 'mark|grade|test result|exam result', named: 'grade mark result' },
  { said: 'attendance', named: 'attendance' },
  { said: 'delivery|parcel|consignment', named: 'delivery shipment parcel' },
  { said: 'depot|site|hub', named: 'warehouse depot hub site' },
  { said: 'truck|van|lorry', named: 'truck vehicle' },
  { said: 'bill', named: 'bill invoice' },
  { said: 'job', named: 'job visit work task order' },
  { said: 'store|shop|branch', named: 'store shop branch' },
  { said: 'supplier|vendor', named: 'supplier vendor' },
  { said: 'contract', named: 'contract subscription' },
]

/** Nouns for amounts that no column is called by, and words of the metrics that they may mean, likeliest first. */
export const amountWords: readonly { readonly words: string; readonly metrics: string }[] = [
  { words: 'spend|spending|spent|ad spend|costs|expenses|expenditure|outlay', metrics: 'spend cost expense' },
  { words: 'spend|spending|spent|spends|paid us', metrics: 'spend . . revenue' },
  {
    words: 'brought in|bring in|brings in|bringing in|bring us|brought us|made us|earned us|earns us',
    metrics: 'revenue sales',
  },
  { words: 'star|stars', metrics: 'stars rating' },
  {
    words:
      'revenue|sales|turnover|income|earnings|money did we make|money made|takings|proceeds|money we made|money',
    metrics: 'revenue sales amount',
  },
  { words: 'collected|collect|money we collected|payments received', metrics: 'payment' },
  { words: 'billed|bill|billing|billings|invoiced|charged', metrics: 'invoice bill fee charge' },
  {
    words: 'units sold|pieces sold|items sold|copies sold|copies|units|pieces|units shipped',
    metrics: 'quantity',
  },
  { words: 'salaries|payroll|earn|earns|earning|wage bill|make', metrics: 'salary wage' },
  { words: 'seats sold', metrics: 'seat' },
  { words: 'bill|bills', metrics: 'cost expense' },
  { words: 'electricity|energy|power|consumption|energy use', metrics: 'kwh mwh energy consumption usage' },
]
