/**
 * Texts of our own, and how many tokens they are in OpenAI's vocabulary o200k: counted once with `countTokens` of gpt-tokenizer 4.0.0
 * (`gpt-tokenizer/encoding/o200k_base`), which is not a part of this project.
 */
export const COUNTED: readonly (readonly [kind: string, tokens: number, text: string])[] = [
  [
    'English',
    85,
    'My sister Nora moved to Porto last spring and opened a small workshop for bicycles near the river. She repairs old frames, and on Saturdays she teaches children how to mend a tyre. I would like to visit her in May, if the trains run again by then. Could you help me plan the way from Hamburg, with one night in Paris and without any flight? I get sick in buses, so please avoid them too.',
  ],
  [
    'German',
    94,
    'Meine Schwester Nora ist im letzten Frühjahr nach Porto gezogen und hat in der Nähe des Flusses eine kleine Fahrradwerkstatt eröffnet. Sie repariert alte Rahmen, und samstags bringt sie Kindern bei, wie man einen Reifen flickt. Ich möchte sie im Mai besuchen, falls die Züge bis dahin wieder fahren. Kannst du mir helfen, die Strecke von Hamburg zu planen, mit einer Übernachtung in Paris und ohne Flug? In Bussen wird mir übel.',
  ],
  [
    'French',
    95,
    'Ma sœur Nora s’est installée à Porto au printemps dernier et elle a ouvert un petit atelier de vélos près du fleuve. Elle répare de vieux cadres et, le samedi, elle apprend aux enfants à réparer un pneu. J’aimerais lui rendre visite en mai, si les trains circulent de nouveau. Peux-tu m’aider à préparer le trajet depuis Hambourg, avec une nuit à Paris et sans avion ? Je suis malade en autocar.',
  ],
  [
    'Spanish',
    92,
    'Mi hermana Nora se mudó a Oporto la primavera pasada y abrió un pequeño taller de bicicletas cerca del río. Repara cuadros viejos y los sábados enseña a los niños a arreglar una rueda. Me gustaría visitarla en mayo, si para entonces vuelven a circular los trenes. ¿Puedes ayudarme a planear el camino desde Hamburgo, con una noche en París y sin ningún vuelo? Me mareo en los autobuses.',
  ],
  [
    'Polish',
    131,
    'Moja siostra Nora przeprowadziła się zeszłej wiosny do Porto i otworzyła mały warsztat rowerowy niedaleko rzeki. Naprawia stare ramy, a w soboty uczy dzieci, jak załatać oponę. Chciałbym ją odwiedzić w maju, jeśli do tego czasu pociągi znowu będą jeździć. Czy możesz mi pomóc zaplanować drogę z Hamburga, z jednym noclegiem w Paryżu i bez samolotu? W autobusach robi mi się niedobrze.',
  ],
  [
    'Turkish',
    114,
    "Kız kardeşim Nora geçen bahar Porto'ya taşındı ve nehrin yakınında küçük bir bisiklet atölyesi açtı. Eski kadroları onarıyor, cumartesi günleri de çocuklara lastik yamamayı öğretiyor. O zamana kadar trenler yeniden çalışırsa mayıs ayında onu ziyaret etmek istiyorum. Hamburg'dan yolu, Paris'te bir gece konaklayarak ve uçağa binmeden planlamama yardım eder misin? Otobüslerde midem bulanıyor.",
  ],
  [
    'Vietnamese',
    112,
    'Chị gái tôi, Nora, đã chuyển đến Porto vào mùa xuân năm ngoái và mở một xưởng sửa xe đạp nhỏ gần bờ sông. Chị sửa những khung xe cũ, và vào thứ bảy chị dạy trẻ em cách vá lốp. Tôi muốn đến thăm chị vào tháng năm, nếu lúc đó tàu hỏa chạy lại. Bạn có thể giúp tôi lên kế hoạch đi từ Hamburg, nghỉ một đêm ở Paris và không đi máy bay không? Tôi bị say xe buýt.',
  ],
  [
    'Russian',
    116,
    'Моя сестра Нора прошлой весной переехала в Порту и открыла небольшую велосипедную мастерскую недалеко от реки. Она чинит старые рамы, а по субботам учит детей латать шины. Я хотел бы навестить её в мае, если к тому времени снова пойдут поезда. Поможешь мне спланировать дорогу из Гамбурга, с одной ночёвкой в Париже и без самолёта? В автобусах меня укачивает, поэтому их тоже лучше избегать.',
  ],
  [
    'Greek',
    158,
    'Η αδελφή μου η Νόρα μετακόμισε την περασμένη άνοιξη στο Πόρτο και άνοιξε ένα μικρό εργαστήριο ποδηλάτων κοντά στο ποτάμι. Επισκευάζει παλιούς σκελετούς και τα Σάββατα μαθαίνει στα παιδιά πώς να μπαλώνουν ένα λάστιχο. Θα ήθελα να την επισκεφτώ τον Μάιο, αν ως τότε κυκλοφορούν ξανά τα τρένα. Μπορείς να με βοηθήσεις να σχεδιάσω τη διαδρομή από το Αμβούργο, με μία νύχτα στο Παρίσι και χωρίς αεροπλάνο;',
  ],
  [
    'Hebrew',
    118,
    'אחותי נורה עברה לפורטו באביב שעבר ופתחה בית מלאכה קטן לאופניים ליד הנהר. היא מתקנת שלדות ישנות, ובשבתות היא מלמדת ילדים איך לתקן צמיג. הייתי רוצה לבקר אותה במאי, אם הרכבות יחזרו לפעול עד אז. תוכל לעזור לי לתכנן את הדרך מהמבורג, עם לילה אחד בפריז ובלי שום טיסה? אני מרגיש רע באוטובוסים, אז עדיף להימנע גם מהם.',
  ],
  [
    'Arabic',
    108,
    'انتقلت أختي نورا إلى بورتو في الربيع الماضي وافتتحت ورشة صغيرة للدراجات بالقرب من النهر. إنها تصلح الإطارات القديمة، وفي أيام السبت تعلم الأطفال كيف يرقعون العجلات. أود أن أزورها في شهر مايو إذا عادت القطارات إلى العمل بحلول ذلك الوقت. هل يمكنك أن تساعدني في تخطيط الطريق من هامبورغ مع ليلة واحدة في باريس ومن دون أي رحلة جوية؟ أشعر بالغثيان في الحافلات.',
  ],
  [
    'Hindi',
    116,
    'मेरी बहन नोरा पिछले वसंत में पोर्टो चली गई और उसने नदी के पास साइकिलों की एक छोटी कार्यशाला खोली। वह पुराने ढाँचों की मरम्मत करती है और शनिवार को बच्चों को टायर ठीक करना सिखाती है। अगर तब तक रेलगाड़ियाँ फिर से चलने लगें तो मैं मई में उससे मिलने जाना चाहता हूँ। क्या आप हैम्बर्ग से रास्ते की योजना बनाने में मेरी मदद कर सकते हैं, पेरिस में एक रात रुककर और बिना किसी उड़ान के?',
  ],
  [
    'Chinese',
    121,
    '我的姐姐诺拉去年春天搬到了波尔图，在河边开了一家小小的自行车修理店。她修理旧车架，每到星期六还教孩子们怎样补轮胎。如果到那时火车恢复运行，我想在五月去看望她。你能帮我计划从汉堡出发的路线吗？我想在巴黎住一晚，不坐飞机。我坐长途汽车会晕车，所以也请避开汽车。另外，请告诉我每一段大约需要多长时间，以及在哪里换车比较方便。',
  ],
  [
    'Traditional Chinese',
    141,
    '我的姊姊諾拉去年春天搬到了波多，在河邊開了一家小小的腳踏車修理店。她修理舊車架，每到星期六還教孩子們怎樣補輪胎。如果到那時火車恢復行駛，我想在五月去探望她。你能幫我計劃從漢堡出發的路線嗎？我想在巴黎住一晚，不搭飛機。我坐長途巴士會暈車，所以也請避開巴士。另外，請告訴我每一段大約需要多久，以及在哪裡轉車比較方便。',
  ],
  [
    'Japanese',
    141,
    '姉のノラは去年の春にポルトへ引っ越して、川の近くに小さな自転車の工房を開きました。古いフレームを修理し、土曜日には子どもたちにタイヤの直し方を教えています。そのころまでに列車がまた走っていれば、五月に会いに行きたいと思っています。ハンブルクからの行き方を、パリで一泊して飛行機を使わずに計画するのを手伝ってもらえますか。バスは酔うので避けてください。',
  ],
  [
    'Korean',
    126,
    '누나 노라는 작년 봄에 포르투로 이사해서 강 근처에 작은 자전거 공방을 열었습니다. 오래된 차체를 고치고, 토요일에는 아이들에게 타이어를 때우는 방법을 가르칩니다. 그때까지 기차가 다시 다닌다면 오월에 누나를 만나러 가고 싶습니다. 함부르크에서 가는 길을 파리에서 하룻밤 묵고 비행기 없이 계획하는 것을 도와줄 수 있나요? 버스를 타면 멀미가 나니 피해 주세요.',
  ],
  [
    'Thai',
    145,
    'พี่สาวของฉันชื่อนอร่าย้ายไปอยู่ที่เมืองปอร์โตเมื่อฤดูใบไม้ผลิปีที่แล้ว และเปิดร้านซ่อมจักรยานเล็กๆ ใกล้แม่น้ำ เธอซ่อมโครงรถเก่า และทุกวันเสาร์เธอสอนเด็กๆ ให้ปะยางรถ ฉันอยากไปเยี่ยมเธอในเดือนพฤษภาคม ถ้าถึงตอนนั้นรถไฟกลับมาวิ่งอีกครั้ง คุณช่วยฉันวางแผนการเดินทางจากฮัมบูร์ก โดยพักที่ปารีสหนึ่งคืนและไม่ต้องขึ้นเครื่องบินได้ไหม ฉันเมารถบัส',
  ],
  [
    'emoji',
    120,
    '🚲🔧👩‍🔧🌊🏙️ 🎉🎉🎉 🧳🚆➡️🇫🇷🌙➡️🇵🇹 ❤️👨‍👩‍👧‍👦 😀😂🥹 👍🏽👋🏿 ☀️🌧️⛈️ 🍎🥐🍷 ✅❌ 1️⃣2️⃣3️⃣ 🏳️‍🌈 🤷‍♀️ 🧑‍🚀🪐✨ 🐈‍⬛🐕 🥳',
  ],
  [
    'base64',
    198,
    'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC/9j4AAQSkZJRgABAQEASABIAAD2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyqR8vKpZm3sYf0WcXq9d7eLkBvTn1Gh5uAyXoPjSlwEiKb2MtQ==',
  ],
  [
    'hexadecimal',
    136,
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 550e8400-e29b-41d4-a716-446655440000 60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752 fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13',
  ],
  [
    'TypeScript',
    174,
    "export async function readRoute(request: Request, { limit = 50 }: Options = {}): Promise<Route[]> {\n  const url = new URL(request.url);\n  const stops = url.searchParams.getAll('stop').filter((name) => name !== '');\n  if (stops.length === 0) throw new AppError('invalid_input', 'Name at least one stop.');\n  for (const [index, stop] of stops.entries()) {\n    const found = await db.select().from(stations).where(eq(stations.name, stop)).limit(limit);\n    if (found[0] === undefined) return [];\n    routes.push({ index, station: found[0], minutes: Math.round(found[0].km / 1.6) });\n  }\n  return routes.toSorted((a, b) => a.minutes - b.minutes);\n}\n",
  ],
  [
    'Python',
    122,
    'import csv\nfrom collections import defaultdict\n\n\ndef totals_by_month(path: str, column: str = "amount") -> dict[str, float]:\n    """Adds up a column of a table for each month."""\n    totals: dict[str, float] = defaultdict(float)\n    with open(path, newline="", encoding="utf-8") as file:\n        for row in csv.DictReader(file):\n            if not row.get(column):\n                continue\n            month = row["date"][:7]\n            totals[month] += float(row[column].replace(",", "."))\n    return dict(sorted(totals.items()))\n',
  ],
  [
    'JSON',
    124,
    '{"id":"task_4711","createdAt":"2026-03-14T09:26:53.589Z","user":{"name":"Nora Lindt","age":34,"tags":["bicycles","porto"]},"stops":[{"name":"Hamburg Hbf","km":0,"minutes":0},{"name":"Köln Hbf","km":412.5,"minutes":241},{"name":"Paris Nord","km":903.75,"minutes":498}],"price":{"amount":27500,"currency":"ZAR"},"isPublic":false,"note":null}',
  ],
  [
    'numbers',
    114,
    '2026-01-02;1,284.50;17.3\n2026-01-03;998.00;16.9\n2026-01-04;12,004.75;18.1\n3141592653589793238462643383279502884197169399375105820974944592307816406286208998628034825342117067\n+49 40 123456-78; 0800 555 0199; 192.168.178.24:8080',
  ],
  [
    'table',
    124,
    '| Stop | Arrives | Leaves | Platform |\n|---|---:|---:|---|\n| Hamburg Hbf | – | 08:24 | 14 |\n| Köln Hbf | 12:21 | 12:43 | 7 A–C |\n| Paris Nord | 16:05 | 07:12 | 3 |\n| Irun | 12:47 | 18:00 | **1** |\n| Porto Campanhã | 05:48 | – | 9 |\n\n- [ ] Reserve the night train\n- [x] Ask Nora about Saturday\n',
  ],
];
