BEGIN TRANSACTION;
CREATE TABLE articles (
	url TEXT NOT NULL, 
	outcome TEXT NOT NULL, 
	note TEXT NOT NULL, 
	asked_at DATETIME NOT NULL, 
	tries INTEGER NOT NULL, 
	fetched_at DATETIME, 
	source_url TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	body_length INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (url)
);
CREATE TABLE claims (
	id TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	same_key TEXT NOT NULL, 
	source TEXT NOT NULL, 
	imported_at DATETIME NOT NULL, 
	attribution TEXT NOT NULL, 
	licence TEXT NOT NULL, 
	statement TEXT NOT NULL, 
	title TEXT NOT NULL, 
	claimant TEXT NOT NULL, 
	claim_date DATE, 
	rating TEXT NOT NULL, 
	rating_class TEXT NOT NULL, 
	review_date DATE, 
	publisher TEXT NOT NULL, 
	url TEXT NOT NULL, 
	language TEXT NOT NULL, 
	body_length INTEGER NOT NULL, 
	words TEXT NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "claims" VALUES('sample-0001','45a120fa3c4a242fd193ccd882fb0416','80e3c29cd23c0d9fcefbba7ec9501ae3','samples','2026-11-22 13:10:44.061457','','','The federal minimum wage has stayed at $7.25 an hour since July 2009.','Federal minimum wage stood still for a decade','a city council candidate','2019-04-11','True','TRUE','2019-04-16','Lectern sample desk','https://example.org/samples/0001','en',874,' the federal minimum wage has stayed at 7 25 an hour since july 2009 a city council candidate','At a neighborhood forum a city council candidate told the room that "the federal minimum wage has stayed at $7.25 an hour since July 2009." We looked up the law and the wage tables.
The Department of Labor keeps a public history of every rate since the first one. It shows three steps that were laid down in the Fair Minimum Wage Act of 2007. The wage went from $5.15 to $5.85 on July 24, 2007, to $6.55 a year later, and to $7.25 on July 24, 2009. No later act of Congress has touched the figure up to the day of this check.
For somebody who works 2,080 hours in a year, $7.25 an hour adds up to $15,080 before tax. Many states and cities require more, and where they do the higher wage applies. The candidate spoke of the federal floor only, so those local rates do not change the answer.
The month, the amount and the long pause are all as stated. We rate the claim True.');
INSERT INTO "claims" VALUES('sample-0002','488ce21c528e9cce383cd317c3225b45','2178c6540fc5f376734fec18d82d7ccf','samples','2026-11-22 13:10:44.061457','','','When the federal minimum wage began in 1938 it was one dollar an hour.','The first federal minimum wage was a quarter, not a dollar','a radio host','2025-06-24','False','FALSE','2025-06-30','Lectern sample desk','https://example.org/samples/0002','en',748,' when the federal minimum wage began in 1938 it was one dollar an hour a radio host','A caller asked a radio host how the minimum wage started. His answer, "when the federal minimum wage began in 1938 it was one dollar an hour," gets the year right and the money wrong.
The Fair Labor Standards Act was signed on June 25, 1938. Its first wage floor, which took effect in October of that year, was 25 cents an hour. A second step a year later brought it to 30 cents.
The tables of the Department of Labor show the climb that followed. The rate reached 40 cents in 1945 and 75 cents in 1950. One dollar came only in March 1956, more than seventeen years after the start.
So the host multiplied the original wage by four. A coin''s difference may sound small today, but it was three quarters of the amount in question. The claim is False.');
INSERT INTO "claims" VALUES('sample-0003','416f4bc9a1df2e43b180f02da0bae001','caeeb5dee72f3dac1329c476da284413','samples','2026-11-22 13:10:44.061457','','','Unemployment in the United States peaked at 10 percent in October 2009.','Jobless rate after the financial crisis topped out at 10 percent','a candidate for the state senate','2012-09-05','True','TRUE','2012-09-11','Lectern sample desk','https://example.org/samples/0003','en',924,' unemployment in the united states peaked at 10 percent in october 2009 a candidate for the state senate','How bad did the job market get after the financial crisis? A candidate for the state senate said in a televised exchange that "unemployment in the United States peaked at 10 percent in October 2009."
The monthly rate comes from the household survey of the Bureau of Labor Statistics. In December 2007, when the recession began, it stood at 5.0 percent. It climbed in almost every month of the following two years.
The seasonally adjusted series shows 10.0 percent for October 2009 and lower figures afterwards. By the end of 2011 the rate was back at 8.5 percent. The recession itself had ended in June 2009 by the dating of the National Bureau of Economic Research, but joblessness went on rising for some months, as it often does.
Older recessions reached higher, and the candidate did not deny that. For the downturn in question both the height and the month are those of the official series. We rate this statement True.');
CREATE TABLE lectern_settings (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "lectern_settings" VALUES('schema','2');
CREATE TABLE live_events (
	name TEXT NOT NULL, 
	title TEXT NOT NULL, 
	day DATE, 
	opened FLOAT NOT NULL, 
	beat FLOAT, 
	PRIMARY KEY (name)
);
INSERT INTO "live_events" VALUES('city','City debate','2024-09-10',1726000000.0,NULL);
CREATE TABLE live_feeds (
	event TEXT NOT NULL, 
	name TEXT NOT NULL, 
	cursor TEXT NOT NULL, 
	words INTEGER NOT NULL, 
	marks INTEGER NOT NULL, 
	last FLOAT, 
	warning TEXT NOT NULL, 
	warned FLOAT, 
	beat FLOAT, 
	PRIMARY KEY (event, name)
);
INSERT INTO "live_feeds" VALUES('city','wire','2',10,2,1726000001.0,'',NULL,1726000001.0);
CREATE TABLE live_lines (
	event TEXT NOT NULL, 
	source TEXT NOT NULL, 
	unit TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	speaker TEXT, 
	start FLOAT, 
	"end" FLOAT, 
	final BOOLEAN NOT NULL, 
	cut TEXT NOT NULL, 
	came FLOAT NOT NULL, 
	PRIMARY KEY (event, source, unit)
);
INSERT INTO "live_lines" VALUES('city','wire','1',0,'Crime fell by half last year.','Mayor',0.0,2.0,1,'whole',1726000001.0);
INSERT INTO "live_lines" VALUES('city','wire','2',1,'We built nine schools.','Mayor',2.0,4.0,1,'whole',1726000001.0);
CREATE TABLE live_sentences (
	id INTEGER NOT NULL, 
	event TEXT NOT NULL, 
	source TEXT NOT NULL, 
	unit TEXT NOT NULL, 
	part INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	speaker TEXT, 
	who TEXT NOT NULL, 
	start FLOAT, 
	"end" FLOAT, 
	final BOOLEAN NOT NULL, 
	gone BOOLEAN NOT NULL, 
	revision INTEGER NOT NULL, 
	said FLOAT NOT NULL, 
	settled FLOAT NOT NULL, 
	checked FLOAT, 
	worthiness FLOAT, 
	kept BOOLEAN, 
	reason TEXT NOT NULL, 
	tier TEXT, 
	score FLOAT, 
	claim TEXT NOT NULL, 
	report BLOB, 
	PRIMARY KEY (id), 
	UNIQUE (event, source, unit, part), 
	UNIQUE (event, number)
);
INSERT INTO "live_sentences" VALUES(1,'city','wire','1',0,0,1,'Crime fell by half last year.','Mayor','mayor',0.0,2.0,1,0,1,1726000001.0,1726000001.0,1726000010.0,0.5,1,'','likely',1.5,'sample-1',X'789CC5574B6FE33610BEFB57103AC78E24DB79ECAD582C8A026D0F41DA3D2C028192C611618914447A1D23C87F2F9F96443D9CA405EA8301CF0C391FBF21673EBF2E50C0B3022A1C7C414109998086AE1AA85923AEA3E04ABA05112528EF57224E2887140BD00EF8095424B9FA29BD71186F96E1FD320AB593B3439329C7EB02A180E24A0799D52BF12254100A76ACA9B0509EBAC4842201CEC30B1C6F6F9427FC979F6081DE14A20A53B2032E1C267B589D6215AD4293B76ED88E98F34295429E436E1C15CBA1E476B1C49742A381E3349319740A793E2C708A399CC33279AC4AAD8AAEF4EF9C3C1B0841DEAEE22004A1CFEDE698276C97687EA56D874B0E2AD81E2463072A5CB05C4C05D00C9461ADB793E5CCF6C95156B0384963AC8D25D943797240829A714E527DCEB0E34F1A76E48320670D2D80236EA8C5FB43C5FDC990201570A42A58108E14832B79BE27155D63CEF133B86873427A90E4362D2FDD53A8288422F5FD64BC19A3FA6648DA0263490D8B76B5207A2F7748636C30DDB7213B56AA52CADD9FBA868450C1A4951ECAD2D5C343184F218CDF83506DDC03D91A2CC0D6F0798CEB298CEBFF09A3ADBD0F68BCF825A1D0B90A35E0BDA9E7C36F7F7F7BF8C58275D81F0B40E2402994A8C01CA50014B15A7E712233A1E8FE7EB3B24BB8C0FA916E56A1310055D06FDDCFCE4B9110B8BEE3AB7BE3DB43AD968AE600F6E936ACAEE5491BC09CD13196DC0132D6E8F3ACB633D793D144B09A64EE811BABEC8612545B3F4D989F6124C74416D7815C675106A2280838AEEA1296918BD36409A84CCBD1247F2DB066F9D190AD38865CBDF10EC526B11D10DF0B500DE05C1EB3A20DD450B04980518373C250C1B8F0223A2325BA5F86EB65D841D960D52A35445919DF9EC80D741983C787BFBE75BCF093C071B8F1A60DA90F6949786138FCDDCC06645892438FEFDBC84353AA9842889A7FB9BE86171DB462CDF3B589E772729AE03757854A5E9A4303BC5B0835415C1D437B25F5F3284922CB804969AB219DDB9E97C24134B8D4AEA8E7516F5C119B09A2EFA8F4B74B39A9320E49B7D0E12AF6DDAE9CD235589AB2FC9444DAB91EF5C5C637BE70AD9D9B51DFC6F83A0B153D1E56DFDB42DDFAAE0ED29B3197017A33BACCE0BC1D731998B7EDB2B48AB71ECABBBEB30579E72D533B9A96E3DD165D45921E5411FB57C6688B21137D043EBE73A278EB6592EBA89669F289C8BE2B6585F3E0E706DC8EE7FCA67373DB403ACF4F09BC11B37A70DA5C112925E4BBF5D2E790114EFADD54F7DE53329C65E76EA89A18CDE1C58997F35174B3EF984CBB5FC7AD656488D8BEC628BA417FE093D7DDDA562BCB14B5D6A3D65601052C5FB54082E9C6E740DB73AA39A83E4F67BA650FB083E6F5AD655A4A5F3D887F9C031B28B11812C30B76A4762A2DCE09EC24B658DEA566ECC875DAE6C2C8FD95B11C29392A4B788530CDD111CA8C55E00FDABBFEA08DA2D9491BC6BD51DB198383591BA8DBA83A3C628D645A4E43DE9779ED3076F59A51351767EF47185DF7185DFB8C76605836BF034A0FA41468138648FEF962ACE43E9151EC31B99D65F2F6D39A25EE93B63C57EC3F20CD3C574FBB0C53B5D2E5FCAFC4DA3DED32215D3EAB5CDE2B5C2EEA968BB26542B5CC8A96CB9AE5DD92E5038AC536A511BD32215766D5CAA458B9A455E6A5CA8C5299112A733A6546A6CCA994599132AD51A625CA8C4299162833FA644E9E4CAA935171E22EC68434192A93796132AE4B5C92295532264AA634C9B8249950242EF1A81E999223ED3F2A5F8C0CB5C8408A7C5C898C0A91F7E91023439E1CBB431132A2417C09B2B0FBA8BFF68BB7C53FBA8157CC');
INSERT INTO "live_sentences" VALUES(2,'city','wire','2',0,1,2,'We built nine schools.','Mayor','mayor',2.0,4.0,1,0,1,1726000001.0,1726000001.0,NULL,NULL,NULL,'',NULL,NULL,'',NULL);
CREATE TABLE review_decisions (
	"key" TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	"before" INTEGER NOT NULL, 
	document TEXT NOT NULL, 
	title TEXT NOT NULL, 
	event_date DATE, 
	number INTEGER NOT NULL, 
	speaker TEXT NOT NULL, 
	start FLOAT, 
	text TEXT NOT NULL, 
	text_before TEXT NOT NULL, 
	text_after TEXT NOT NULL, 
	claim_id TEXT NOT NULL, 
	statement TEXT NOT NULL, 
	verdict TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	"by" TEXT NOT NULL, 
	at TEXT NOT NULL, 
	note TEXT NOT NULL, 
	done_by TEXT NOT NULL, 
	done_at TEXT NOT NULL, 
	made_with TEXT NOT NULL, 
	"match" TEXT NOT NULL, 
	PRIMARY KEY ("key", version)
);
INSERT INTO "review_decisions" VALUES('dd6fd7011637d5979b7048031500af3e',1,0,'0000000000000000000000000000000000000000000000000000000000000000','City debate','2024-09-10',1,'RIVERA',4.0,'The tunnel has been open since 1994.','','Good evening, and welcome.','sample-1','The Channel Tunnel opened in 1994.','confirm','','Ada','2024-09-11T09:00:00.000Z','see p. 2','Ada','2024-09-11T09:00:00.000Z','{"database": {"claims": 1, "digest": "d"}, "lectern": "0.1.0", "models": {"sbert": "abc"}, "profile": "embedded", "settings": {"as_of_event": false}}','{"rank": 1, "score": 1.5, "tier": "likely", "claim": {"id": "sample-1", "statement": "The Channel Tunnel opened in 1994.", "title": "When the tunnel opened", "claimant": "a radio host", "claim_date": "2019-03-01", "rating": "True", "rating_class": "TRUE", "review_date": "2019-03-04", "publisher": "Lectern sample desk", "url": "https://example.org/samples/1"}, "measures": {"bertscore": 0.0, "nli_entailment": 0.05, "nli_neutral": 0.1, "nli_contradiction": 0.15, "simcse_statement": 0.2, "simcse_title": 0.25, "simcse_body_1": 0.3, "simcse_body_2": 0.35, "simcse_body_3": 0.4, "simcse_body_4": 0.45, "sbert_statement": 0.5, "sbert_title": 0.55, "sbert_body_1": 0.6, "sbert_body_2": 0.65, "sbert_body_3": 0.7, "sbert_body_4": 0.75, "bm25_statement": 0.8, "bm25_title": 0.85, "bm25_body": 0.9}, "contributions": {"base": 0.5, "sbert_statement": 0.75, "bm25_body": 0.25}, "stance": "repeats", "agreement": {"numbers": "same", "names": "same", "dates": "missing"}, "decision": null, "key_sentences": [{"index": 0, "start": 0, "end": 32, "text": "The tunnel opened on 6 May 1994.", "score": 0.91, "why": "nearest to the sentence"}], "sureness": {}, "against": [], "relation": null}');
INSERT INTO "review_decisions" VALUES('dd6fd7011637d5979b7048031500af3e',2,1,'0000000000000000000000000000000000000000000000000000000000000000','City debate','2024-09-10',1,'RIVERA',4.0,'The tunnel has been open since 1994.','','Good evening, and welcome.','sample-1','The Channel Tunnel opened in 1994.','reject','wrong number','Ben','2024-09-11T09:00:01.000Z','','Ben','2024-09-11T09:00:01.000Z','{"database": {"claims": 1, "digest": "d"}, "lectern": "0.1.0", "models": {"sbert": "abc"}, "profile": "embedded", "settings": {"as_of_event": false}}','{"rank": 1, "score": 1.5, "tier": "likely", "claim": {"id": "sample-1", "statement": "The Channel Tunnel opened in 1994.", "title": "When the tunnel opened", "claimant": "a radio host", "claim_date": "2019-03-01", "rating": "True", "rating_class": "TRUE", "review_date": "2019-03-04", "publisher": "Lectern sample desk", "url": "https://example.org/samples/1"}, "measures": {"bertscore": 0.0, "nli_entailment": 0.05, "nli_neutral": 0.1, "nli_contradiction": 0.15, "simcse_statement": 0.2, "simcse_title": 0.25, "simcse_body_1": 0.3, "simcse_body_2": 0.35, "simcse_body_3": 0.4, "simcse_body_4": 0.45, "sbert_statement": 0.5, "sbert_title": 0.55, "sbert_body_1": 0.6, "sbert_body_2": 0.65, "sbert_body_3": 0.7, "sbert_body_4": 0.75, "bm25_statement": 0.8, "bm25_title": 0.85, "bm25_body": 0.9}, "contributions": {"base": 0.5, "sbert_statement": 0.75, "bm25_body": 0.25}, "stance": "repeats", "agreement": {"numbers": "same", "names": "same", "dates": "missing"}, "decision": null, "key_sentences": [{"index": 0, "start": 0, "end": 32, "text": "The tunnel opened on 6 May 1994.", "score": 0.91, "why": "nearest to the sentence"}], "sureness": {}, "against": [], "relation": null}');
CREATE INDEX claims_same_key ON claims (same_key);
CREATE INDEX claims_digest ON claims (id, digest);
CREATE INDEX review_decisions_title ON review_decisions (title);
CREATE INDEX review_decisions_document ON review_decisions (document);
CREATE INDEX live_lines_order ON live_lines (event, source, seq);
CREATE INDEX live_sentences_waiting ON live_sentences (event, checked, gone);
CREATE INDEX live_sentences_repeats ON live_sentences (claim, who);
COMMIT;
