package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// The words with which people and programs speak of secrets, by language. They
// are in lower case.

// A speech is how a language speaks of secrets.
type speech struct {
	// passwords, keys and codes are names of secrets whose value may be any word, is rather
	// made by a machine, or has digits.
	passwords, keys, codes string
	// logins are names of a login and a password together.
	logins string
	// is stands between a name and its value, to between a name that was changed and its
	// value, as before a name whose value stands before.
	is, to, as string
	// verbs are the beginnings of words that say that a secret changes.
	verbs string
	// idle are words behind a name that are no value.
	idle string
	// about are words that go with a secret in a sentence and are no value there: where it is kept, what
	// it is made of, and what asks for it.
	about string
}

// The lists are separated by commas.
var speeches = []speech{
	{ // English
		passwords: "password,passwd,passphrase,pass phrase,secret word,code word,codeword,safe word,magic word," +
			"passcode,pwd,pass,pw,passwords,pass word," +
			"access code,activation key,product key,master key,wifi key,wi-fi key,wlan key,network key,wpa key," +
			"wpa2 key,wpa3 key,pre-shared key,radius secret,tacacs key,hmac key,maiden name,community string," +
			"snmp community,p/w," +
			"security answer,secret answer," +
			"answer to the security question,security question answer,wifi code,key content,schlüsselinhalt",
		keys: "secret,secret key base,token,api key,apikey,access key,secret key,private key,signing key," +
			"encryption key,license key," +
			"deploy key,auth key,account key,shared key,client key,session key,master token,auth token,unseal key",
		codes: "pin,otp,totp,2fa code,mfa code,2fa,one-time code,one time code,one-time password,recovery code," +
			"recovery codes,recovery key,backup code,backup codes,verification code,security code,auth code," +
			"authentication code,login code,confirmation code,pin code,unlock code,cvv,cvc,puk,puk code,cvv2," +
			"sms code," +
			"one-time pin,guard code,sign-in code,signin code,alarm code,door code,gate code,entry code," +
			"safe code,lock code,garage code,keypad code,host key," +
			"safe combination,lock combination,voicemail pin,entry pin",
		logins: "credentials,creds,credential,login,logins,cred,basic auth,basic authentication,http auth",
		is:     "is,was,are,now,equals,been,remains,stays,becomes,became,that's,it's,thats",
		to:     "to,as",
		as:     "as,for",
		about: "vault,store,storage,hash,hashes,database,server,backend,frontend,browser,clipboard,keychain,config," +
			"configuration,production,staging,environment,variable,file,code,text,email,mail,username,account," +
			"something,anything,nothing,everything,someone,everyone,expire,expires,work,works,fail,fails,match," +
			"matches,salt,keyboard,phone,device,card,client,github,google,bitwarden,vaultwarden,bcrypt,argon," +
			"session,cookie,cookies,header,headers,query,body,json,yaml,oauth,ldap,kerberos,yours,slow,fast,late," +
			"broken,visible,leaked,stale,algorithm,algorithms,entry,entries,expiration,obfuscation,request," +
			"requests,options,files,agent,agents," +
			"cache,protection,recovery,generator,callback,encryption,complexity,history,dialog,box,column," +
			"table,attribute," +
			"parameter,parameters,argument,settings,hint,hints,list,mechanism,method,checker,guess,provider," +
			"module,handler," +
			"group,groups,role,roles,sudo,home,system,project,team,owner,permission,permissions,usual,credential," +
			"function,class,object,instance,library,package,interface,script,command,output,process,service,services," +
			"network,screen,window,button,link,reference,section,block,item,items,record,records,value,values," +
			"verifier," +
			"authenticator,hasher,dictionary,wordlist,breach,leak,attack,attacks,spraying,security,access,control," +
			"based,material,materials,respect,confirmation,bits,bytes,size,limit,change,changes,lookup,sharing," +
			"strategy,model,schema,grant,exchange,scheme," +
			"httponly,samesite,geburtsdatum,geburtstag,adresse,correo,datum,alphanumeric,numeric,ascii,unicode," +
			"sso,certificate,ours,theirs,someone's,backslash,ampersand,apostrophe,semicolon,asterisk,underscore," +
			"hyphen,newline,whitespace,ditto",
		verbs: "change,changing,generat,creat,set,reset,update,rotate,switch,assign,renew,replace,moved",
		idle: "the,a,an,not,no,never,always,only,also,still,already,being,been,in,on,at,of,for,from,with,by,to," +
			"as,and,or," +
			"but,if,so,then,than,that,this,these,those,it,its,my,your,our,their,his,her,what,when,where,why,how,who," +
			"which,whether,because,there,here,very,too,just,more,less,most,least,all,any,each,both,same," +
			"different,wrong," +
			"right,correct,incorrect,empty,missing,invalid,valid,required,optional,expired,stored,hashed,encrypted," +
			"unknown,safe,secure,weak,strong,long,short,old,new,ok,fine,okay,bad,good,needed,used,set,sent,read,kept," +
			"read-only,readonly,hidden,plain,plaintext,see,use,add,fix,make,must,should,may,can,will,would," +
			"could,shall," +
			"enter,reset,update,change,changes,check,remove,allow,handle,refactor,support,rotate,revoke,create,show," +
			"store,test,tests,field,fields,string,value,policy,policies,manager,login,refresh,flow,form,input," +
			"page,us," +
			"up,out,off,into,about,please,at-least,do,does,did,don't,doesn't,isn't,has,have,had,was,were,be,is,are," +
			"available,public,private,mandatory,visible,due,between,after,before,under,over,without,within,via,per," +
			"given,done,gone,lost,found,hit,cut,made,put,held,bound,kept,typed,shown,written,broken,chosen," +
			"taken,known,provided,changeable,unset,default," +
			"authentication,authorization,validation,verification,rotation,reuse,expiry,length,strength,prompt,once," +
			"first,last,next,every,another,other,some,such,mine,yours,reset,invalidated,malformed,now," +
			"insecure,unsafe,risky,dangerous,important,necessary,sensitive,case-sensitive,confidential,useless," +
			"useful," +
			"possible,impossible,unique,random,temporary,permanent,hard,easy,simple,complex,complicated,common," +
			"obvious," +
			"clear,unclear,relevant,irrelevant,unavailable,unusable,identical,equal,similar,enough,insufficient," +
			"essential," +
			"somewhere,anywhere,nowhere,elsewhere,everywhere,called,named,passed,renamed,longer,shorter,like," +
			"unlike,instead,back,true,false,null,none",
	},
	{ // German
		passwords: "losungswort,geheimwort,passwort,kennwort,passphrase,losung,passwörter,zugangscode,zugriffscode",
		keys: "api-schlüssel,api schlüssel,geheimschlüssel,geheimer schlüssel,zugriffsschlüssel," +
			"zugangsschlüssel,geheimnis," +
			"privater schlüssel,zugriffstoken,wlan-schlüssel,wpa-schlüssel,netzwerkschlüssel",
		codes: "bestätigungscode,wiederherstellungscode,wiederherstellungscodes,backup-codes,sicherheitscode," +
			"einmalpasswort,einmalcode,geheimzahl," +
			"2fa-code," +
			"pin-code,tan,verifizierungscode,türcode,alarmcode,tresorcode,freischaltcode,entsperrcode,aktivierungscode",
		logins: "zugangsdaten,anmeldedaten,zugang",
		is:     "ist,lautet,war,heißt,heisst,bleibt,blieb,lautete,wäre,wird,hieß",
		to:     "auf,zu,in",
		as:     "als",
		about: "schlecht,gut,unsicher,doof,blöd,algorithmus,tresor,datenbank,server,datei,browser,produktion," +
			"klartext,hash,formular,benutzer,nutzer,konto,wo," +
			"welche,welches,wer,etwas,nichts,alles,quatsch,länger,kürzer,sicherer,einfach,dasselbe,gleich",
		verbs: "änder,geänder,setz,gesetz,stell,wechsel,gewechsel,zurückgesetz,umgestell",
		idle: "dasselbe,derselbe,gleiche,der,die,das,den,dem,des,ein,eine,einen,nicht,kein,keine,falsch,richtig," +
			"leer,ungültig,gültig," +
			"abgelaufen," +
			"erforderlich,muss,darf,soll,kann,wird,wurde,im,in,am,an,auf,für,von,mit,bei,zu,und,oder,aber,wie," +
			"was,wenn," +
			"dann,schon,noch,immer,nie,zwingend,notwendig,gespeichert,verschlüsselt,gehasht,vergessen,ändern," +
			"eingeben," +
			"zurücksetzen,mindestens,unbekannt,sicher,zu,bitte,siehe,hier,dort,nur,auch",
	},
	{ // French
		passwords: "mot de passe,mots de passe,mdp,code wifi,code wi-fi,code du wifi,code wpa,phrase secrète," +
			"phrase de passe,clé wifi,clé wi-fi,clé wpa," +
			"clé réseau,code d'accès,code d’accès",
		keys: "clé api,clé d'api,cle api,clé secrète,clé privée,clé d'accès,jeton,jeton d'accès",
		codes: "code pin,code secret,code de récupération,code de vérification,code de secours," +
			"codes de récupération,codes de secours,code de validation," +
			"code à usage unique,code de confirmation,code 2fa,digicode,code porte," +
			"code de déverrouillage," +
			"code de la porte,code d'entrée",
		logins: "identifiants,identifiant",
		is:     "est,c'était,c’était,c'est,sera,était,vaut,reste,demeure,devient,devenu",
		to:     "en,à,par,pour",
		as:     "comme,pour",
		about: "algorithme,production,base,serveur,fichier,coffre,clair,trop,quel,quelle,où,même,hash," +
			"navigateur,compte," +
			"erreur,court,courte,long,longue,faible,urgence,cours",
		verbs: "chang,passé,modifi,mis,met,remis,remet,remplac,réinitialis,défin",
		idle: "même,identique,le,la,les,un,une,de,du,des,pas,ne,non,incorrect,invalide,vide,obligatoire,requis," +
			"requise,expiré," +
			"oublié,dans," +
			"sur,pour,par,avec,et,ou,mais,que,qui,si,au,aux,en,stocké,haché,chiffré,doit,peut,faux,correct," +
			"trop,au-moins," +
			"toujours,jamais,déjà,encore,votre,notre,voir,ici,changé,modifié",
	},
	{ // Spanish
		passwords: "contraseña,contrasena,clave,frase de contraseña,contraseñas,clave de acceso,código de acceso",
		keys:      "clave api,clave de api,clave secreta,clave privada,secreto,ficha de acceso,token de acceso",
		codes: "código pin,código de recuperación,códigos de recuperación,códigos de respaldo," +
			"código de verificación,código de seguridad," +
			"código 2fa,código de la puerta,código de entrada,código de la alarma," +
			"código de un solo uso,clave dinámica",
		logins: "credenciales,acceso",
		is:     "es,era,fue,será,son,siendo,sería,queda,quedó,sigue",
		to:     "a,por,en",
		as:     "como,de",
		about: "algoritmo,producción,base,servidor,archivo,texto,cuál,cual,dónde,donde,mano,corta,larga,misma," +
			"todos,demasiado," +
			"cuenta,navegador,bóveda,favor",
		verbs: "cambi,actualiz,modific,restablec,pon,puse,pus",
		idle: "necesaria,necesario,misma,mismo,igual,el,la,los,las,un,una,de,del,no,en,por,para,con,y,o,pero," +
			"que,si,incorrecta," +
			"incorrecto,inválida," +
			"inválido,vacía," +
			"vacío,obligatoria,obligatorio,opcional,requerida,requerido,correcta,expirada,débil,segura,olvidada,debe," +
			"puede,muy,su,tu,mi,nuestra,guardada,cifrada,siempre,nunca,ya,aquí,al,primaria,foránea,primarias",
	},
	{ // Portuguese
		passwords: "chave do wifi,chave do wi-fi,chave wifi,chave da rede,senha,palavra-passe,palavra passe," +
			"frase secreta,senhas,código de acesso",
		keys: "chave de api,chave api,chave da api,chave secreta,chave privada,segredo,chave de acesso," +
			"token de acesso",
		codes: "código de recuperação,códigos de recuperação,códigos de backup,código de verificação," +
			"código de segurança,código pin," +
			"código 2fa," +
			"código de uso único",
		logins: "credenciais",
		is:     "é,eh,era,será,são,ficou,fica,sendo,segue,continua,virou",
		to:     "para,pra,por,a,em",
		as:     "como,de",
		about: "produção,banco,servidor,arquivo,texto,qual,onde,curta,longa,mesma,todos,muito,conta,cofre,navegador," +
			"favor",
		verbs: "mud,alter,troc,troqu,atualiz,redefin,modific,defin,coloc",
		idle: "mesma,mesmo,igual,o,a,os,as,um,uma,de,do,da,dos,das,não,nao,no,na,em,por,para,com,e,ou,mas,que," +
			"se,incorreta," +
			"inválida,vazia," +
			"obrigatória,opcional,correta,expirada,fraca,forte,deve,pode,sua,minha,nossa,armazenada," +
			"criptografada,sempre," +
			"nunca,já,aqui,ao",
	},
	{ // Italian
		passwords: "parola d'ordine,parola chiave,parola d’ordine,parola di accesso,codice di accesso," +
			"codice d'accesso,codice d’accesso",
		keys: "chiave api,chiave segreta,chiave privata,chiave di accesso,segreto,gettone,token di accesso",
		codes: "codice pin,codice di recupero,codici di recupero,codici di backup,codice di verifica," +
			"codice di sicurezza,codice otp,codice 2fa," +
			"codice segreto,codice della porta,codice porta,codice dell'allarme",
		logins: "credenziali",
		is:     "è,era,sarà,sono,rimane,resta,diventa,diventata",
		to:     "in,a,con,su",
		as:     "come",
		about: "produzione,base,server,file,chiaro,quale,dove,corta,lunga,stessa,tutti,automatico,fretta,conto," +
			"cassaforte," +
			"locale,memoria,sicurezza",
		verbs: "cambi,impost,modific,aggiorn,reimpost",
		idle: "stessa,stesso,solita,il,lo,la,i,gli,le,un,una,di,del,della,non,nel,nella,in,per,con,e,o,ma,che," +
			"se,errata,errato," +
			"sbagliata,corretta," +
			"scaduta,vuota,obbligatoria,richiesta,opzionale,deve,può,tua,sua,mia,sempre,mai,già,qui,al,troppo,salvata",
	},
	{ // Dutch
		passwords: "wachtwoord,wachtwoordzin,toegangscode,wachtzin,wachtwoorden",
		keys: "api-sleutel,api sleutel,geheime sleutel,privésleutel,privé sleutel,toegangssleutel,geheim," +
			"toegangstoken",
		codes: "pincode,herstelcode,verificatiecode,beveiligingscode,eenmalige code,inlogcode,2fa-code," +
			"herstelcodes",
		logins: "inloggegevens,aanmeldgegevens",
		is:     "is,was,luidt,wordt,blijft,werd,luidde",
		to:     "naar,in,op,als",
		as:     "als",
		about:  "productie,database,server,bestand,kluis,waar,welk,kort,lang,zelfde,browser,tekst,alles,iets,niets",
		verbs:  "verander,gewijzig,wijzig,ingesteld,gezet,aangepast,zet",
		idle: "hetzelfde,dezelfde,zelfde,het,de,een,van,niet,geen,onjuist,ongeldig,verkeerd,fout,juist,leeg," +
			"verplicht,vereist,verlopen," +
			"moet,mag,kan," +
			"wordt,in,op,voor,met,en,of,maar,die,dat,als,te,nog,altijd,nooit,al,opgeslagen,versleuteld," +
			"vergeten,hier,om",
	},
	{ // Swedish
		passwords: "lösenord,lösenordet,lösenfras,losenord,lösenordsfras,lösen,åtkomstkod,åtkomstkoden,passerkod",
		keys: "api-nyckel,api-nyckeln,api nyckel,hemlig nyckel,privat nyckel,åtkomstnyckel,hemlighet,hemligheten," +
			"åtkomsttoken",
		codes: "pinkod,pin-kod,pinkoden,återställningskod,engångskod,engångslösenord,verifieringskod,säkerhetskod," +
			"återställningskoden",
		logins: "inloggningsuppgifter,inloggning",
		is:     "är,var,blir,heter,förblir,blev,lyder",
		to:     "till,på",
		as:     "som",
		about: "produktion,databas,databasen,server,servern,fil,filen,klartext,valv,valvet,vilket,långt,samma," +
			"webbläsaren," +
			"allt,något,inget",
		verbs: "ändra,bytt,byt,satt,sätt,uppdater,återställ",
		idle: "detsamma,samma,en,ett,den,det,de,inte,ej,fel,felaktigt,ogiltigt,tomt,tom,obligatoriskt,krävs," +
			"utgånget,måste," +
			"får,kan,ska,i,på," +
			"för,med,och,eller,men,som,om,att,av,till,redan,alltid,aldrig,sparat,krypterat,glömt,här,för,kort",
	},
	{ // Polish
		passwords: "hasło,haslo,hasłem,hasła,hasłu,fraza hasła,fraza kodująca,kod dostępu",
		keys: "klucz api,tajny klucz,klucz prywatny,klucz tajny,klucz dostępu,sekret,sekretny klucz,token dostępu," +
			"sekrety",
		codes: "kod pin,kod odzyskiwania,kod weryfikacyjny,kod jednorazowy,kod bezpieczeństwa,kod 2fa," +
			"kod autoryzacyjny",
		logins: "dane logowania,poświadczenia,dane do logowania",
		is:     "to,jest,brzmi,było,będzie,pozostaje,brzmiało",
		to:     "na",
		as:     "jako",
		about: "produkcji,produkcja,bazie,serwerze,serwer,pliku,podstawa,podstawą,sejfie,jakie,gdzie,długie,stronie," +
			"problem,ważne,wszystko,przeglądarce",
		verbs: "zmie,ustaw,zresetow,zaktualiz",
		idle: "nie,jest,i,lub,albo,w,we,na,do,dla,od,z,ze,o,po,przez,musi,może,niepoprawne,nieprawidłowe," +
			"błędne,puste," +
			"wymagane,poprawne,wygasło,powinno,już,tylko,zawsze,nigdy,zapisane,zaszyfrowane,tutaj,się,za,krótkie,złe",
	},
	{ // Czech
		passwords: "heslo,hesla,heslem,heslu,přístupová fráze,přístupové heslo,přístupový kód",
		keys: "klíč api,api klíč,tajný klíč,soukromý klíč,přístupový klíč,tajemství,přístupový token," +
			"api-klíč",
		codes: "kód pin,pin kód,obnovovací kód,ověřovací kód,jednorázový kód,bezpečnostní kód," +
			"kód pro obnovení,2fa kód",
		logins: "přihlašovací údaje",
		is:     "je,zní,bylo,bude,byl,zůstává,znělo",
		to:     "na",
		as:     "jako",
		about:  "produkci,databázi,serveru,server,souboru,trezoru,jaké,kde,dlouhé,stránce,základ,problém,prohlížeči",
		verbs:  "změn,nastav,zmen,resetov,aktualiz",
		idle: "není,je,a,nebo,ale,v,ve,na,do,pro,od,z,ze,o,po,musí,může,nesprávné,neplatné,špatné,prázdné," +
			"povinné,správné," +
			"vypršelo,už,jen,vždy,nikdy,uloženo,zašifrováno,zde,se,příliš,krátké,chybné,vyžadováno",
	},
	{ // Turkish
		passwords: "şifre,şifresi,şifrem,şifreniz,şifreyi,sifre,sifresi,parola,parolası,parolam,parolayı," +
			"geçiş ifadesi,erişim kodu,giriş kodu",
		keys: "api anahtarı,gizli anahtar,özel anahtar,erişim anahtarı,jeton,jetonu,belirteç,gizli anahtarı,sır," +
			"api anahtar,anahtarı,erişim jetonu",
		codes: "pin kodu,kurtarma kodu,doğrulama kodu,güvenlik kodu,tek kullanımlık kod,tek kullanımlık şifre," +
			"2fa kodu," +
			"onay kodu,iki faktör kodu",
		logins: "kimlik bilgileri,giriş bilgileri",
		is:     "artık,yeni,şu",
		to:     "olarak",
		as:     "olarak",
		about:  "sunucuda,veritabanında,dosyada,kasada,nerede,hangi,kısa,uzun,aynı,zayıf,güçlü,tarayıcıda",
		verbs:  "değiş,ayarla,güncelle,sıfırla,yap",
		idle: "giriniz,girin,giriş,değil,ve,veya,ile,için,bir,bu,çok,yanlış,geçersiz,boş,gerekli,zorunlu,doğru," +
			"olmalı,olmalıdır," +
			"hatalı,unutuldu," +
			"en,az,her,hiç,değiştir,politikası,sıfırlama,alanı,kısa,süresi",
	},
	{ // Russian
		passwords: "пасс,пассворд,пароль,пароля,паролем,паролю,парольная фраза,кодовая фраза,кодовое слово,пароли," +
			"код доступа",
		keys: "секрет,токен,ключ api,api-ключ,api ключ,секретный ключ,приватный ключ,закрытый ключ,ключ доступа," +
			"токен доступа",
		codes: "пин-код,пин код,пин,код восстановления,код подтверждения,код 2fa,код двухфакторной аутентификации," +
			"одноразовый код,одноразовый пароль,резервный код,резервные коды,код безопасности,код из смс," +
			"проверочный код",
		logins: "учётные данные,учетные данные,логин и пароль,доступ,доступы,логин/пароль,креды",
		is:     "это,теперь,будет,был,—,–,есть,таков,такой,остался,остаётся,остается,стал",
		to:     "на",
		as:     "как,качестве",
		about: "сервере,сервер,базе,продакшене,проде,странице,сайте,файле,хранилище,сейфе,стенде,тесте,где,какой," +
			"более," +
			"всех,новый,другой,следующий,почту,почте,всё,все,аккаунте,клиенте,более",
		verbs: "измен,смен,помен,устано,сброс,обнов,постав,задал",
		idle: "не,нет,неверный,неправильный,пустой,верный,обязателен,обязательный,и,или,но,в,во,на,для,от,с,со," +
			"по,к,из,что," +
			"как,если,должен,может,истёк,истек,уже,только,всегда,никогда,хранится,забыт,слишком,короткий,нужен,здесь," +
			"не-задан,для-входа,доступа,пользователя,администратора",
	},
	{ // Ukrainian
		passwords: "парольна фраза,пароль,паролі,кодове слово,кодова фраза,код доступу",
		keys:      "секретний ключ,приватний ключ,закритий ключ,ключ доступу,токен доступу,api-ключ",
		codes: "пін-код,пін код,пін,код відновлення,код підтвердження,одноразовий код,одноразовий пароль," +
			"код безпеки," +
			"резервний код,резервні коди,код двофакторної автентифікації,перевірочний код",
		logins: "облікові дані,логін і пароль,логін та пароль,доступи",
		is:     "це,тепер,буде,був,є,—,–,такий,лишився,залишається,став",
		to:     "на",
		as:     "як",
		about: "сервері,сервер,базі,проді,сторінці,сайті,файлі,сховищі,сейфі,стенді,тесті,де,який,більш,всіх,новий," +
			"інший,наступний,пошту,пошті,все,довшим,клієнті",
		verbs: "змін,помін,встанов,скин,онов,постав",
		idle: "не,немає,невірний,неправильний,порожній,вірний,обов'язковий,і,й,або,але,в,у,на,для,від,з,із,по," +
			"до,що,як,якщо," +
			"має,може,вже,тільки,завжди,ніколи,зберігається,забутий,надто,короткий,потрібен,тут,користувача",
	},
	{ // Vietnamese
		passwords: "mật khẩu,mat khau,cụm mật khẩu,mật mã,cụm từ mật khẩu,mã truy cập",
		keys: "khóa bí mật,khoá bí mật,khóa api,khoá api,khóa riêng,khóa riêng tư,bí mật,mã thông báo,khóa truy cập," +
			"mã token",
		codes: "mã pin,mã otp,mã khôi phục,mã xác minh,mã xác thực,mã bảo mật,mã 2fa,mã dự phòng," +
			"mã xác nhận",
		logins: "thông tin đăng nhập,tài khoản",
		is:     "là,bây giờ là",
		to:     "thành,sang",
		as:     "làm",
		verbs:  "đổi,đặt,thay,cập",
		idle: "không,chưa,đã,phải,có,cần,sai,đúng,rỗng,trống,bắt,hết,và,hoặc,nhưng,của,cho,trong,được,bị,sẽ," +
			"quá,ít,yếu," +
			"mới,cũ,người,này,tối,hợp",
	},
	{ // Arabic
		passwords: "كلمة المرور,كلمة السر,ككلمة مرور,ككلمة المرور,ككلمة سر,ككلمة السر,كلمه المرور,كلمه السر," +
			"الرقم السري,عبارة المرور,كلمة مرور,كلمة سر," +
			"الباسورد,باسورد,رمز الدخول,كود الدخول",
		keys: "مفتاح api,المفتاح السري,المفتاح الخاص,مفتاح الوصول,مفتاح سري,السر,رمز الوصول,التوكن,توكن,الرمز المميز," +
			"رمز مميز,سر",
		codes: "رمز التحقق,رمز الاسترداد,رمز الأمان,رمز pin,رمز التأكيد,الرمز السري,رمز المرور,رمز otp," +
			"رمز المصادقة,رمز الاستعادة,رمز",
		logins: "بيانات الاعتماد,بيانات الدخول,بيانات تسجيل الدخول",
		is:     "هي,هو,أصبحت,أصبح,الآن,تكون,كانت,صارت,صار,تبقى",
		to:     "إلى,الى,ل",
		as:     "ككلمة,كـ,بمثابة",
		verbs:  "تغيير,غير,غيّر,تم,تعيين,ضبط,تحديث",
		idle: "غير,ليس,ليست,خاطئة,فارغة,صحيحة,مطلوبة,مطلوب,يجب,في,على,من,إلى,عن,أو,و,لا,لم,قد,التي,الذي," +
			"المستخدم,منتهية",
	},
	{ // Hindi
		passwords: "पासवर्ड,कूटशब्द,पासफ़्रेज़,पासफ्रेज,पासकोड,संकेतशब्द,एक्सेस कोड",
		keys: "गुप्त कुंजी,एपीआई कुंजी,api कुंजी,निजी कुंजी,टोकन,सीक्रेट,एक्सेस टोकन,एपीआई की,एक्सेस की," +
			"गुप्त",
		codes: "पिन,पिन कोड,ओटीपी,रिकवरी कोड,सत्यापन कोड,सुरक्षा कोड,बैकअप कोड,पुनर्प्राप्ति कोड," +
			"2fa कोड",
		logins: "क्रेडेंशियल,क्रेडेंशियल्स,लॉगिन",
		is:     "है,हैं,था,अब",
		to:     "को,में",
		as:     "रूप",
		verbs:  "बदल,सेट,रीसेट,अपडेट",
		idle:   "नहीं,गलत,सही,खाली,आवश्यक,अमान्य,और,या,का,के,की,को,में,से,पर,चाहिए,होना,बहुत,नीति,भूल,मान्य,ज़रूरी",
	},
	{ // Japanese
		passwords: "パスワード,パスコード,暗証番号,パスフレーズ,合言葉,ﾊﾟｽﾜｰﾄﾞ,パス,アクセスコード,入室コード",
		keys: "シークレット,トークン,apiキー,アクセスキー,秘密鍵,シークレットキー,アクセストークン,プライベートキー,apiトークン," +
			"api キー,秘密",
		codes: "ワンタイムパスワード,認証コード,確認コード,リカバリーコード,復旧コード,リカバリコード,pinコード,ピン,pin," +
			"セキュリティコード,バックアップコード,回復コード,暗証コード,2faコード",
		logins: "認証情報,資格情報,ログイン情報,ログイン",
	},
	{ // Korean
		passwords: "비밀번호,비번,암호,패스워드,암호문,패스프레이즈,접근 코드,접속 코드,액세스 코드,출입 코드",
		keys: "토큰,시크릿,api 키,api키,비밀 키,비밀키,개인 키,개인키,액세스 키,액세스 토큰,엑세스 토큰,시크릿 키," +
			"접근 토큰",
		codes: "핀 번호,핀번호,핀코드,인증번호,인증 번호,인증 코드,인증코드,복구 코드,복구코드,일회용 비밀번호,보안 코드,보안코드," +
			"백업 코드,핀,확인 코드",
		logins: "자격증명,자격 증명,로그인 정보,계정 정보,로그인",
	},
	{ // Chinese
		passwords: "密码,密碼,口令,暗号,暗號,密语,密語,通行码,通行碼,访问码,訪問碼,存取码,存取碼",
		keys: "密钥,密鑰,令牌,秘钥,私钥,私鑰,凭证,憑證,访问令牌,访问密钥,金鑰,權杖," +
			"api 密钥,api密钥,机密",
		codes: "验证码,驗證碼,认证码,認證碼,恢复码,恢復碼,恢复代码,动态码,動態碼,pin码,pin碼,pin 码,pin 碼,安全码,安全碼,动态口令,备用码,一次性密码," +
			"校验码,双因素验证码",
		logins: "凭据,憑據,登录信息,登錄資訊,账号密码,帳號密碼,登录",
	},
	{ // further languages, of which only labels and plain statements are known
		passwords: "salasana,salasanan,tunnuslause,adgangskode,adgangskoden,kodeord,kodeordet,passord," +
			"passordet,jelszó," +
			"jelszava,jelszót,parolă,parolei,κωδικός,κωδικός πρόσβασης,κωδικό,συνθηματικό,סיסמה,סיסמא,הסיסמה," +
			"รหัสผ่าน," +
			"kata sandi,katasandi,sandi,kata laluan,lozinka,lozinku,lozinke,zaporka,geslo,парола,паролата,лозинка," +
			"шифра,contrasenya,slaptažodis,parool,salasõna,lykilorð,pasahitza,رمز عبور,گذرواژه,پاس ورڈ",
		codes: "pin-koodi,vahvistuskoodi,engangskode,bekræftelseskode,bekreftelseskode,ellenőrző kód," +
			"cod de verificare," +
			"κωδικός επαλήθευσης,קוד אימות,รหัสยืนยัน,kode verifikasi,kode otp,kontrolni kod,код за потвърждение",
		is: "adalah,ialah,este,είναι,היא,הוא,คือ,است,är,és,yra",
	},
}

// A lexicon is what the speeches say, by word.
type lexicon struct {
	names map[string]secrecy
	is    map[string]bool
	to    map[string]bool
	as    map[string]bool
	idle  map[string]bool
	about map[string]bool
	// verbs are the beginnings of verbs by their first byte.
	verbs [256][]string
	// gaps are words behind which any may stand before the value, as in "password for x".
	gaps map[string]bool
	// stops end a sentence about a name before its value came.
	stops map[string]bool
	// post stand behind a value.
	post map[string]bool
	// endings may follow a value that is a word.
	endings map[string]bool
	// plain are the names in ASCII without blanks and hyphens.
	plain map[string]secrecy
	// endingsOf are the ends of names of secrets and of names that are none, by their last
	// byte. The first that fits counts.
	endingsOf [256][]ending
	// ordered are the names in the order of the speeches, in the cases in which they are written.
	ordered []string
}

// An ending is the end of a name, and what its values are.
type ending struct {
	word string
	kind secrecy
}

const (
	gapWords = "between,fürs,vom,beim,ans,ins,for,of,on,at,in,für,von,der,des,am,im,auf,zum,zur,bei,pour,du,de,des," +
		"sur,à,del,da,do,dos,na,no," +
		"en,para,per,di," +
		"della,dello,su,van,voor,op,het,till,för,på,av,dla,od,pro,k,ke,для,от,на,к,у,в,від,до,cho,của,ل,في,على," +
		"لـ,के,का,की," +
		"लिए,now,jetzt,nun,maintenant,désormais,ahora,agora,adesso,ora,nu,nu,teraz,nyní,теперь,сейчас,тепер," +
		"зараз,bây,giờ,الآن," +
		"अब,wurde,wird,has,been,have,was,ha,har,a,został,zostało,byl,bylo,neue,neuer,nouveau,nueva,nova,nuova," +
		"nieuwe,nya," +
		"nowe,nové,yeni,новый,новий,mới,الجديدة,नया,already,just,lại,được,đã,có,qua,vẫn,still,toujours," +
		"continua,sigue,sang,foi,fue,é,è,été,stata," +
		"stato,się,to," +
		"anterior,antiga,antigua,vieja,velha,vecchia,alte,aktuelle,actual,atual,attuale,provisional,bol,si,c'est," +
		"hiện,tại,kullanıcısının,için,the,le,la,el,o,das,den,is,är,ist,est,es,jest,je,là"
	stopWords = "and,or,but,that,which,if,when,because,und,oder,aber,et,ou,mais,y,o,pero,e,mas,ma,en,maar,och," +
		"men,i,lub,ale,a," +
		"nebo,и,или,но,і,або,але,ve,veya,và,hoặc,و,أو,और,या,must,should,may,can,will,not,muss,soll,kann,doit," +
		"peut,debe,puede," +
		"deve,pode,può,moet,kan,måste,ska,musi,może,musí,může,должен,может,має,може,phải,يجب,چاहिए"
	postWords = "है,हैं,था,olarak,में,पर,से,hai,ist,olsun,को,कर,idi"
	endWords  = "and,or,but,so,for,on,please,now,in,at,it,this,that,-,–,—,und,aber,oder,für,bitte,et,ou,mais," +
		"pour,y,pero,para," +
		"e,mas,ma,per,en,maar,voor,och,men,för,i,ale,oraz,dla,a,pro,и,но,для,а,і,але,و,और,ve,ama,và,nhưng," +
		"don't,do,dont," +
		"if,as,with,to,from,when,until,before,after,there,here,use,user,username,login,host,server,port,nicht," +
		"ne,no,не," +
		"है,hai,olarak,als,comme,como,come,som,jako,как,як,làm,w,na,bei,auf,dans,sur,su,op,på,на,во,of,only," +
		"again,instead," +
		"también,aussi,auch,anche,também,ook,också,také,też,также,також,cũng,أيضا,भी,yesterday,today,gestern," +
		"heute,hier,ayer,hoy,ontem,hoje,ieri,oggi,gisteren,igår,wczoraj,včera,dün,вчера,сегодня,вчора,hôm," +
		"тоже,теж," +
		"right,ok,okay,thanks,btw,fyi,|,/,statt,anstatt,instead,lieu,viu,né,tá,gell,oder,hein,quoi,vale,capito," +
		"senza,sin,sans,ohne,without,bez,без,zonder,utan,sem,right?,invece,zamiast,místo,вместо,замість,thay,i,we," +
		"you,think,guess,nhé,nha,test,testa,prova,still,until,since,seit,depuis,desde,dal,sinds,sedan,od,с,з"
)

// words returns the one lexicon.
func words() *lexicon { return lexicons.Get() }

var lexicons = once.Value[*lexicon]{Make: newLexicon}

func newLexicon() *lexicon {
	l := &lexicon{
		names: make(map[string]secrecy, 1<<10), ordered: make([]string, 0, 1<<11), plain: map[string]secrecy{},
		is: map[string]bool{}, to: map[string]bool{}, as: map[string]bool{}, idle: map[string]bool{},
		about: map[string]bool{},
	}
	l.gaps, l.stops, l.post, l.endings = listed(gapWords), listed(stopWords), listed(postWords), listed(endWords)
	for _, s := range speeches {
		for _, of := range []struct {
			words string
			kind  secrecy
		}{{s.passwords, password}, {s.keys, key}, {s.codes, code}, {s.logins, login}} {
			for word := range strings.SplitSeq(of.words, ",") {
				if word != "" && l.names[word] == harmless {
					l.names[word] = of.kind
					if isASCII(word) && strings.ContainsAny(word, " -") {
						l.plain[withoutSeparators(word)] = of.kind
					}
					l.ordered = appendSpellings(l.ordered, word)
				}
			}
		}
		for set, words := range map[*map[string]bool]string{&l.is: s.is, &l.to: s.to, &l.as: s.as, &l.idle: s.idle,
			&l.about: s.about} {
			for word := range strings.SplitSeq(words, ",") {
				if word != "" {
					(*set)[word] = true
				}
			}
		}
		for verb := range strings.SplitSeq(s.verbs, ",") {
			if verb != "" {
				l.verbs[verb[0]] = append(l.verbs[verb[0]], verb)
			}
		}
	}
	for _, word := range harmlessNames {
		l.endingsOf[word[len(word)-1]] = append(l.endingsOf[word[len(word)-1]], ending{word, harmless})
	}
	for _, word := range secretWords {
		kind := key
		if passwordWords.Has(word) {
			kind = password
		}
		l.endingsOf[word[len(word)-1]] = append(l.endingsOf[word[len(word)-1]], ending{word, kind})
	}
	return l
}

func listed(words string) map[string]bool {
	set := make(map[string]bool, strings.Count(words, ",")+1)
	for word := range strings.SplitSeq(words, ",") {
		set[word] = true
	}
	return set
}

// isVerb reports whether a word in lower case says that something changes.
func (l *lexicon) isVerb(word string) bool {
	if word == "" {
		return false
	}
	for _, v := range l.verbs[word[0]] {
		if strings.HasPrefix(word, v) && (len(v) > 3 || len(word) <= len(v)+4) {
			return true
		}
	}
	return false
}

// appendSpellings appends a name in the cases in which it is written, where these differ
// beyond ASCII.
func appendSpellings(all []string, name string) []string {
	first := len(all)
	all = append(all, name)
	if isASCII(name) {
		return all
	}
	upper := strings.ToUpper(name)
	if upper == name { // a script without cases
		return all
	}
	add := func(other string) {
		if !slices.ContainsFunc(all[first:], func(s string) bool { return equalFoldASCII(s, other) }) {
			all = append(all, other)
		}
	}
	letter, size := utf8.DecodeRuneInString(name)
	add(string(unicode.ToUpper(letter)) + name[size:])
	add(upper)
	if head, tail, ok := strings.Cut(name, "-"); ok {
		add(strings.ToUpper(head) + "-" + tail)
	}
	return all
}
