"""Translations of the Japanese passages that rules cite, into English and Chinese.

The translations are our own; pages show them next to the original. A test reports quotations
without a translation.
"""

from __future__ import annotations

from django.utils.translation import get_language

# The English and the Chinese translation of each original passage.
TRANSLATIONS = {
    # 000, Goninkan for five or six
    "最初のディーラーはドローして最も弱いカードを引いたプレイヤーがなります": (
        "the first dealer is the player who draws the weakest card",
        "抽到最小牌的选手为第一个发牌人",
    ),
    "ディーラーが右隣に交替して、1戦目から行います": (
        "the deal passes to the right, and play begins with deal 1",
        "发牌人换为右邻，从第1局打起",
    ),
    "どちらが最初のリードを行うかを決めます": (
        "they decide which of them leads first",
        "商定两人中由谁首先出牌",
    ),
    "前ディールでジョーカーを持っていたプレイヤーが最初のリードを行い": (
        "the player who held the joker in the previous deal leads first",
        "上一局持有王的选手首先出牌",
    ),
    "切札のスートを決め、最初のリードを行います": (
        "chooses the trump suit and leads first",
        "选定主牌花色，并首先出牌",
    ),
    "成功した時は、1、2戦目の得点はすべて無効となり": (
        "on success all points of deals 1 and 2 become void",
        "成功时，第1、2局的得分全部作废",
    ),
    "プレイの成功・失敗の点数はそれとは別につきますが": (
        "the deal’s own win or loss is scored in addition",
        "该局本身的胜负分另计",
    ),
    "1戦目の関係チームの目的は、絵札を9枚以上取ること": (
        "in the first deal the kankei aim to take nine face cards or more",
        "第1局关系组的目标是拿到9张或更多大牌",
    ),
    "1戦目は関係チームが絵札8枚取れば成功としています": (
        "in the first deal the kankei succeed with eight face cards",
        "第1局关系组拿到8张大牌即算成功",
    ),
    "その各プレイヤーがプラス1点となり": ("each of these players gets +1", "这些选手各得+1分"),
    "失敗した場合は、関係チームがマイナス1点": (
        "if they fail, the kankei get −1",
        "如果失败，关系组得−1分",
    ),
    "さらにプラス1点のボーナス点となります": ("one more point as a bonus", "再加1分"),
    "絵札の必要枚数に達した場合、1点のボーナス点となります": (
        "on reaching the number of face cards needed, one bonus point",
        "达到所需大牌张数时，加1分",
    ),
    "スコンクの点数はつきません": ("the skunk is not scored", "不计零封的分数"),
    "成功した時は8点のボーナスとなり": ("a success brings a bonus of 8", "成功时加8分"),
    "失敗時には無関係チームに16点のボーナスとなります": (
        "on failure the mukankei get a bonus of 16",
        "失败时无关系组加16分",
    ),
    "1戦目でこれを行なったら、無関係チームは10点のボーナス点となります": (
        "done in the first deal, it brings the mukankei a bonus of 10",
        "在第1局做到时，无关系组加10分",
    ),
    "1、2戦目の得点はすべて無効となり": (
        "all points of deals 1 and 2 become void",
        "第1、2局的得分全部作废",
    ),
    "そのディールの成功・失敗の点数もなく、無関係チームが3点となります": (
        "the deal itself is not scored either, and the mukankei get 3",
        "该局本身的胜负分也不计，无关系组得3分",
    ),
    "そのディールの成功・失敗の点数もなく、無関係チームが16点となります": (
        "the deal itself is not scored either, and the mukankei get 16",
        "该局本身的胜负分也不计，无关系组得16分",
    ),
    "失敗時には関係チームに32点のボーナスとなります": (
        "on failure the kankei get a bonus of 32",
        "失败时关系组加32分",
    ),
    "最後のラウンドの時には、スペードが切札になります": (
        "in the last round spades are trump",
        "最后一轮以黑桃为主牌",
    ),
    "成功した時は2倍のボーナス点が得られます": (
        "a success brings twice the bonus",
        "成功时得双倍加分",
    ),
    "失敗した時のマイナス点は宣言で成功したときの2倍になります": (
        "the penalty for a failure is twice what the call brings when it succeeds",
        "失败时的扣分是宣告成功所得的两倍",
    ),
    "関係チームを失敗させる必要枚数に達した場合です": (
        "when they reach the number that makes the kankei fail",
        "达到使关系组失败所需张数时",
    ),
    "このゲームはゲームの前に決めて置いたラウンド数をプレイします": (
        "this game is played for a number of rounds agreed beforehand",
        "打多少轮，在开打之前商定",
    ),
    "1トリック目には関係チームのプレイヤーは誰でもスコンクかじゅうろくの宣言を行うことができます": (
        "in the first trick any kankei player may call a skunk or juroku",
        "第一墩时，关系组的任何选手都可以宣告零封或十六",
    ),
    "それを宣言してはいけません": (
        "they must not declare it",
        "不得说出",
    ),
    "スコンクとなるのは、無関係チームに1枚も絵札を取らさないで絵札を9枚取った場合です": (
        "a skunk is when nine face cards are taken and the mukankei take none",
        "不让无关系组拿到一张大牌而拿到9张大牌时，才算零封",
    ),
    # 001, Goninkan of the association
    "数の最小の人が最初の配り役(まき役)となる": (
        "whoever has the lowest card is the first dealer",
        "牌最小者为第一个发牌人",
    ),
    "配り役はその種類毎交代(右隣へ移る)": (
        "the deal passes to the right with each trump suit",
        "发牌人每换一种主牌就轮换（移到右邻）",
    ),
    "最小限の会話で打ち出しを決め第1戦目がスタートする": (
        "with as few words as possible they settle who leads, and deal 1 begins",
        "用最少的话商定谁先出牌，第1局开始",
    ),
    "ジョーカーを持っていた人が検討し<役>を決め、カードを打ち出してスタートする": (
        "whoever had the joker considers, chooses the trump, and begins by leading a card",
        "持有王者考虑后选定主牌，并首先出牌开始",
    ),
    "A(エース)を持っていた人が検討し、<役>を決め、カードを打ち出してスタートする": (
        "whoever had the ace considers, chooses the trump, and begins by leading a card",
        "持有A者考虑后选定主牌，并首先出牌开始",
    ),
    "絵札を9枚集め勝った場合": ("having won with nine face cards", "收齐9张大牌获胜时"),
    "+1 点": ("+1 point", "+1分"),
    "-1 点": ("−1 point", "−1分"),
    "+1+1+1+ボーナス1 =+4点": ("+1+1+1+ bonus 1 = +4 points", "+1+1+1+加分1＝+4分"),
    "各回戦の得点にスコンクボーナス得点の+1点が与えられ": (
        "a skunk bonus of +1 is added to the points of each deal",
        "每局得分另加零封加分+1分",
    ),
    "関係組の得点は特別ボーナス+8点が与えられ": (
        "the kankei are given a special bonus of +8",
        "关系组得特别加分+8分",
    ),
    "関係組の得点はペナルティーボーナスの-16点が記録され": (
        "a penalty of −16 is recorded for the kankei",
        "关系组记罚分−16分",
    ),
    "特別マイナスボーナスとして−10点が記録され": (
        "−10 is recorded as a special negative bonus",
        "作为特别罚分记−10分",
    ),
    "関係組の得点は特別マイナスボーナスとして−10点が記録され": (
        "for the kankei −10 is recorded as a special negative bonus",
        "关系组作为特别罚分记−10分",
    ),
    "1、2戦目までの得点が消滅し": (
        "the points of deals 1 and 2 so far are lost",
        "第1、2局此前的得分作废",
    ),
    "1、2戦目までの得点が消滅し、関係組に−3点が記録され": (
        "the points of deals 1 and 2 so far are lost, and −3 is recorded for the kankei",
        "第1、2局此前的得分作废，关系组记−3分",
    ),
    "関係組にはマイナスボーナスの-16点が記録され": (
        "a negative bonus of −16 is recorded for the kankei",
        "关系组记罚分−16分",
    ),
    "関係組には+32点が加算される": ("+32 is added for the kankei", "关系组加+32分"),
    "スコンクボーナス+1点と“じゅうろく”ボーナス+8点が加算され合計得点は+13点となる": (
        "the skunk bonus +1 and the juroku bonus +8 are added, for a total of +13",
        "加上零封加分+1分和“十六”加分+8分，合计+13分",
    ),
    "クラブ、ダイヤ、ハートの順にて一回りとし": (
        "clubs, diamonds and hearts in this order make one cycle",
        "按梅花、方块、红桃的顺序为一巡",
    ),
    "何回か(時間の制限内)繰り返す": (
        "repeated several times (within the time limit)",
        "（在时限内）重复若干次",
    ),
    "時間の制限内": ("within the time limit", "在时限内"),
    # 002, Yoninkan
    "スペードのA(ピン)が手札にある人から打ち出します": (
        "whoever has the ace of spades in hand leads",
        "由手中有黑桃A者先出牌",
    ),
    "第10ゲームはスペードが役なので、クラブのA(ピン)が手札にある人から打ち出します": (
        "in the tenth game spades are trump, so whoever has the ace of clubs in hand leads",
        "第10轮黑桃是主牌，所以由手中有梅花A者先出牌",
    ),
    "これらの札と自分の手札から役を決め、打ち出します": (
        "from these cards and their own hand chooses the trump, and leads",
        "根据这些牌和自己的手牌选定主牌，并先出牌",
    ),
    "一戦目で役J(ジャック)を持っていた人が、役を判断します": (
        "whoever had the jack of trumps in the first deal decides on the trump",
        "由第1局持有主牌J者决定主牌",
    ),
    "役のJ(ジャック)を持った人と、ジョーカーを持った人が関係グループになります": (
        "the holders of the jack of trumps and of the joker are the kankei",
        "持有主牌J的人和持有王的人成为关系组",
    ),
    "1戦目 ~ 関係グループ(9枚)、無関係グループ(8枚)": (
        "deal 1: kankei nine cards, mukankei eight",
        "第1局：关系组9张，无关系组8张",
    ),
    "1戦目に関係グループが負けた場合 ~ 関係グループ(-2点)": (
        "kankei lose deal 1: kankei −2",
        "第1局关系组负：关系组−2分",
    ),
    "2戦目に関係グループが負けた場合 ~ 関係グループ(0点)": (
        "kankei lose deal 2: kankei 0",
        "第2局关系组负：关系组0分",
    ),
    "3戦目に関係グループが負けた場合 ~ 関係グループ(+2点)": (
        "kankei lose deal 3: kankei +2",
        "第3局关系组负：关系组+2分",
    ),
    "3戦目に関係グループが勝った場合 ~ 関係グループ(+8点)": (
        "kankei win deal 3: kankei +8",
        "第3局关系组胜：关系组+8分",
    ),
    "スコンク ~ 関係グループ(2点加算)": ("skunk: kankei, 2 added", "零封：关系组加2分"),
    "宣言スコンク ~ 関係グループ(8点加算)": (
        "called skunk: kankei, 8 added",
        "宣告零封：关系组加8分",
    ),
    "宣言スコンク失敗 ~ 関係グループ(-16点)": (
        "called skunk failed: kankei −16",
        "宣告零封失败：关系组−16分",
    ),
    "逆スコンク ~ 関係グループ(-8点)": ("reverse skunk: kankei −8", "逆零封：关系组−8分"),
    "宣言逆スコンク ~ 関係グループ(-16点)": (
        "called reverse skunk: kankei −16",
        "宣告逆零封：关系组−16分",
    ),
    "宣言逆スコンク失敗 ~ 関係グループ(32点加算)": (
        "called reverse skunk failed: kankei, 32 added",
        "宣告逆零封失败：关系组加32分",
    ),
    "16 ~ 関係グループ(16点加算)": ("16: kankei, 16 added", "16：关系组加16分"),
    "16失敗 ~ 関係グループ(-32点)": ("16 failed: kankei −32", "16失败：关系组−32分"),
    "宣言16 ~ 関係グループ(32点加算)": ("called 16: kankei, 32 added", "宣告16：关系组加32分"),
    "宣言16失敗 ~ 関係グループ(-64点)": (
        "called 16 failed: kankei −64",
        "宣告16失败：关系组−64分",
    ),
    "逆16 ~ 関係グループ(-32点)": ("reverse 16: kankei −32", "逆16：关系组−32分"),
    "逆16失敗 ~ 関係グループ(64点加算)": (
        "reverse 16 failed: kankei, 64 added",
        "逆16失败：关系组加64分",
    ),
    "宣言逆16 ~ 関係グループ(-64点)": (
        "called reverse 16: kankei −64",
        "宣告逆16：关系组−64分",
    ),
    "宣言逆16失敗 ~ 関係グループ(128点加算)": (
        "called reverse 16 failed: kankei, 128 added",
        "宣告逆16失败：关系组加128分",
    ),
    "その他は、その回のゲームの獲得点数になります": (
        "everything else is the points won in that game",
        "其余即为该轮所得的分数",
    ),
    "最後の第10ゲームの1戦目は、スペードを役にします": (
        "in the first deal of the last, tenth game, spades are trump",
        "最后一轮即第10轮的第1局，以黑桃为主牌",
    ),
    "1戦目のとき、①と⑦~⑩以外のものは成立不可能です": (
        "in deal 1 nothing but ① and ⑦ to ⑩ is possible",
        "第1局中，除①和⑦至⑩以外都不能成立",
    ),
    "ゲームの回数は、時間制限のある大会などでは第10ゲームまでとしていますが": (
        "tournaments with a time limit, for example, play up to the tenth game",
        "有时间限制的比赛等，打到第10轮为止",
    ),
    # 003, Gong Zhu
    "誰が配ってもかまいません": (
        "anybody may deal",
        "谁发牌都可以",
    ),
    "最初のディールで最初にリードするのは": (
        "who leads first in the first deal",
        "第一局首先出牌的是",
    ),
    "次回のディールからは、前回のディールで［♠Q］を取ったプレイヤーが最初にリードします": (
        "from the next deal on, whoever took the [queen of spades] in the last deal leads first",
        "从下一局起，由上一局收［黑桃Q］的选手首先出牌",
    ),
    "5人のときだけは、クラブとハートの［2］を抜いた50枚を使います": (
        "with five players only, the [twos] of clubs and hearts are removed, leaving 50 cards",
        "只有五人玩时，去掉梅花和红桃的［2］，用50张牌",
    ),
    "［♠Q］も取っていたら、この点数も-100点から+100点に変わります": (
        "if the [queen of spades] is also taken, its −100 turns into +100 as well",
        "如果也收了［黑桃Q］，这−100分也变为+100分",
    ),
    "トリックで取ったカードについて、次の点数がつきます": (
        "cards taken in tricks score as follows",
        "每墩所收的牌，按下列分数计分",
    ),
    "［♥A］ -50点": ("[ace of hearts] −50", "［红桃A］−50分"),
    "［♥K］ -40点": ("[king of hearts] −40", "［红桃K］−40分"),
    "［♥Q］ -30点": ("[queen of hearts] −30", "［红桃Q］−30分"),
    "［♥J］ -20点": ("[jack of hearts] −20", "［红桃J］−20分"),
    "［♥10］ -10点": ("[ten of hearts] −10", "［红桃10］−10分"),
    "ハートの全点数-200点が+200点に変わります": (
        "all the hearts count +200 instead of −200",
        "红桃的总分由−200分变为+200分",
    ),
    "すべてのハートの点数(他のプレイヤーの分も)が2倍になります": (
        "the points of all hearts (including other players’) are doubled",
        "所有红桃的分数（包括其他选手的）都加倍",
    ),
    "(豚) -100点": ("(the pig) −100", "（猪）−100分"),
    "-100点から+100点に変わります": ("changes from −100 to +100", "由−100分变为+100分"),
    "このカードの点数が-200点になります": ("this card counts −200", "这张牌变为−200分"),
    "(羊) +100点": ("(the sheep) +100", "（羊）+100分"),
    "このカードの点数が+200点になります": ("this card counts +200", "这张牌变为+200分"),
    "合計点数が2倍になります": ("the total is doubled", "总分加倍"),
    "+50点の得点になります": ("it counts +50", "得+50分"),
    "このカードの効果が更に2倍されます": (
        "the effect of this card is doubled again",
        "这张牌的效果再加倍",
    ),
    "誰かの累計の罰点が1000点かそれ以上になれば、ゲーム終了です": (
        "when somebody’s penalties total 1000 or more, the game ends",
        "有人累计罚分达到1000分或以上时，游戏结束",
    ),
    "［♣10］も取っていれば、ハートの全点数は200点の2倍でなく300点になる": (
        "with the [ten of clubs] as well, all the hearts count 300 rather than twice 200",
        "如果也收了［梅花10］，全部红桃计300分，而不是200分的两倍",
    ),
    # 004, Gouji
    "前回のプレイで1位と2位になったプレイヤーがシャッフルします": (
        "the players who were first and second in the last deal shuffle",
        "由上一局的头科和二科洗牌",
    ),
    "前回6位のプレイヤーは1位のプレイヤーに最も強い2枚のカードを誰にも見せないで渡します": (
        "the player in 6th place secretly gives the player in 1st place the two strongest cards",
        "上一局的大落把最大的两张牌暗中交给头科",
    ),
    (
        "同じチームどうしで交換を行うことになった場合は、"
        "話し合いで、交換を行わないことにしてもかまいません"
    ): (
        "if two team-mates would exchange, they may agree not to",
        "换牌双方是同队时，可以商定不换",
    ),
    (
        "5位のプレイヤーが1位のプレイヤーと2枚交換し"
        "6位のプレイヤーが2位のプレイヤーと1枚交換することにしてもかまいません"
    ): (
        "the player in 5th place may exchange two with the 1st, and the 6th one with the 2nd",
        "也可以由二落与头科换两张，大落与二科换一张",
    ),
    "前回のプレイで6位のプレイヤーが最初にプレイを行うプレイヤーとなります": (
        "the player who was sixth in the last deal plays first",
        "由上一局的大落首先出牌",
    ),
    "カードの数字と同じ所にあるプレイヤーが最初にカードを取るプレイヤーになります": (
        "the player at the place with the card’s number takes the first card",
        "数到与牌面数字相同的选手，由其先摸牌",
    ),
    "革命の後や、前回のプレイで上位3人が同じチームであったときや": (
        "after a revolution, or when the first three of the last deal were on one team",
        "革命之后，或上一局前三名同队时",
    ),
    "各チームはプレイヤーの順位により次の点数を合計して得点します": (
        "each team scores the sum of these points by its players’ places",
        "各队按队员的名次，将以下分数相加计分",
    ),
    "チームのメンバーが入れ替わったあとのディールでは": (
        "in a deal after members of the teams have changed",
        "队员调换之后的一局",
    ),
    "いつゲームを終えるかというルールは特にないようです": (
        "there seems to be no rule on when the game ends",
        "何时结束游戏，似乎没有特别的规定",
    ),
    "1位 | プラス4点": ("first: plus 4", "第1名：加4分"),
    "2位 | プラス2点": ("second: plus 2", "第2名：加2分"),
    "3位 | 0点": ("third: 0", "第3名：0分"),
    "4位 | 0点": ("fourth: 0", "第4名：0分"),
    "5位 | マイナス2点": ("fifth: minus 2", "第5名：减2分"),
    "6位 | マイナス4点": ("sixth: minus 4", "第6名：减4分"),
}

TRANSLATION_INDEXES = {"en": 0, "zh-hans": 1}  # indexes of the pairs in `TRANSLATIONS`


def translation_of(quotation: str) -> str:
    """Return the translation of words quoted from a rule text, in English or Chinese.

    Empty if the active language is another one, or if the words are not in `TRANSLATIONS`.
    """
    index = TRANSLATION_INDEXES.get(get_language() or "")
    if index is None or quotation not in TRANSLATIONS:
        return ""
    return TRANSLATIONS[quotation][index]


def quoted(quotation: str) -> str:
    """Return a quotation, followed by its translation in brackets if there is one."""
    translation = translation_of(quotation)
    return f"{quotation} ({translation})" if translation else quotation
